/** What to do where the other side cannot be reached: a certificate that is not accepted needs another step than an address. */

/** Codes of Node and OpenSSL for a certificate that does not verify, at the beginning of an error's message. */
const NOT_ACCEPTED =
  /\b(?:CERT_\w+|ERR_TLS_CERT_\w+|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|HOSTNAME_MISMATCH)\b/;

/** `variable` names the environment variable with the address; `otherwise` is the step for every other cause. */
export const stepTowards = (variable: string, message: string, otherwise: string): string =>
  NOT_ACCEPTED.test(message)
    ? `check this machine's clock and ${variable}; if an authority of your own issued the certificate, name its file in NODE_EXTRA_CA_CERTS`
    : otherwise;
