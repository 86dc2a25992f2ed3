import { serveSource } from "./serve-source.ts";

await serveSource(process.env);
