/**
 * How pages (health, readiness, metrics) are asked for. By OPTIONS too: with Knative's `autodetect-http2` on, queue-proxy asks whether a function is ready by an offer of
 * HTTP/2 in a request of that method, and by nothing else until the answer is good.
 */
export const PAGE_METHODS: readonly string[] = ["GET", "OPTIONS"];
