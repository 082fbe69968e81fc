# Two stages on one base: the first has compilers and builds, the second carries only what runs.
# scripts/prove-image.sh performs the same steps without a docker engine.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 make g++ \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
COPY strategies ./strategies
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/* \
 && mkdir /data && chown node:node /data
WORKDIR /app
ENV NODE_ENV=production \
    BALLAST_DATA_DIR=/data \
    SVC_STATE_DIR=/data/svc
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/package.json ./
COPY config ./config
COPY prompts ./prompts
USER node
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "dist/src/main/ballast.js", "status", "--health"]
ENTRYPOINT ["tini", "--", "node", "dist/src/main/ballast.js"]
CMD ["run", "--config", "config/agent.yaml"]
