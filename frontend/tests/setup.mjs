// Node.js 18 keeps what browsers call `crypto` in a module of its own.
import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
