# Three stages on one base: dependencies are installed before any source is copied, so that a changed source installs nothing
# again; the last stage carries only what runs. scripts/prove-image.sh performs these steps without a docker engine.
#
# Nothing is compiled: the base needs Node 22.14 or newer, for which the SQLite driver brings its native code along.
# A tag moves. To pin the base, look its digest up (docker buildx imagetools inspect node:24-bookworm-slim) and build with
#   docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:DIGEST -t ballast .
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY drivers ./drivers
RUN npm ci --ignore-scripts && npm rebuild esbuild

FROM dependencies AS build
COPY tsconfig.json tsconfig.build.json tsconfig.types.json ./
COPY scripts ./scripts
COPY src ./src
COPY strategies ./strategies
# The build simulates a quarter of an hour with the shipped configuration, to compile ahead what commands run.
COPY config ./config
RUN npm run build && npm prune --omit=dev --ignore-scripts && node scripts/image/slim.mjs node_modules

FROM ${NODE_IMAGE}
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
RUN mkdir /data && chown node:node /data \
 && ln -s /app/dist/src/main/ballast.cjs /usr/local/bin/ballast \
 && ln -s /app/dist/src/main/svc.cjs /usr/local/bin/svc
WORKDIR /app
ENV NODE_ENV=production \
    BALLAST_DATA_DIR=/data \
    SVC_STATE_DIR=/data/svc \
    BALLAST_OWN_DIR=/own
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/package.json ./
COPY config ./config
COPY deploy ./deploy
COPY prompts ./prompts
USER node
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["ballast", "status", "--health"]
ENTRYPOINT ["tini", "--", "ballast"]
# Practice: it needs no account, and no credentials in the environment make it trade.
CMD ["run", "--config", "config/agent.yaml"]
