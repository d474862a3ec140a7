// What the host of `plumbline serve` does with streams that arrive in any pieces, and with thumbnails.
import { afterEach, expect, test, vi } from "vitest";
import { AskError } from "../src/host";
import { httpHost, inTurn } from "../src/host_http";

const text = new TextEncoder();

function frame(letter: string, payload: Uint8Array): Uint8Array {
  const whole = new Uint8Array(5 + payload.length);
  whole[0] = letter.charCodeAt(0);
  new DataView(whole.buffer).setUint32(1, payload.length, true);
  whole.set(payload, 5);
  return whole;
}

// An answer as src/plumbline/workbench/wire.py writes it: {"x": [0.5, 2.0]}.
function answer(): Uint8Array {
  const header = text.encode('{"answer": {"x": {"$array": 0}}, "arrays": [["f8", 0, 2]]}');
  const padded = Math.ceil((header.length + 4) / 8) * 8 - 4;
  const whole = new Uint8Array(4 + padded + 16).fill(32);
  whole.set(header, 4);
  const view = new DataView(whole.buffer);
  view.setUint32(0, padded, true);
  view.setFloat64(4 + padded, 0.5, true);
  view.setFloat64(12 + padded, 2, true);
  return whole;
}

function serve(frames: Uint8Array[], size: number): void {
  const all = new Uint8Array(frames.flatMap((one) => [...one]));
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < all.length; at += size) pieces.push(all.slice(at, at + size));
  const body = new ReadableStream({
    start(controller) {
      pieces.forEach((piece) => controller.enqueue(piece));
      controller.close();
    },
  });
  vi.stubGlobal("fetch", async () => new Response(body));
}

afterEach(() => vi.unstubAllGlobals());

test.each([1, 3, 7, 1000])("progress and answer are understood in pieces of %i bytes", async (size) => {
  const told = [1, 2].map((done) => frame("P", text.encode(JSON.stringify({ done, total: 4 }))));
  serve([...told, frame("A", answer())], size);
  const heard: number[] = [];
  const found = await httpHost.ask("t", { kind: "about" }, { onProgress: (done, total) => heard.push(done / total) });
  expect(heard).toEqual([0.25, 0.5]);
  expect([...(found as { x: Float64Array }).x]).toEqual([0.5, 2]);
});

test("a failure in the stream is thrown as it is", async () => {
  const failure = { kind: "limit", message: "too long" };
  serve([frame("E", text.encode(JSON.stringify(failure)))], 4);
  const asked = httpHost.ask("t", { kind: "about" });
  await expect(asked).rejects.toBeInstanceOf(AskError);
  await expect(asked).rejects.toMatchObject({ failure });
});

test("a stream that ends early means that the server is gone", async () => {
  serve([frame("A", answer()).slice(0, 20)], 6);
  await expect(httpHost.ask("t", { kind: "about" })).rejects.toMatchObject({ failure: { kind: "offline" } });
});

test("only two thumbnails are asked for at once, and the rest follow in order", async () => {
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((place) =>
    inTurn(() => {
      begun.push(place);
      return new Promise<void>((done) => finish.push(done));
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  finish[0]!();
  await all[0];
  await vi.waitFor(() => expect(begun).toEqual([0, 1, 2]));
  finish[1]!();
  await vi.waitFor(() => expect(begun).toEqual([0, 1, 2, 3]));
  finish[2]!();
  finish[3]!();
  await Promise.all(all);
});

test("a thumbnail whose reader has left never starts", async () => {
  const leaving = new AbortController();
  leaving.abort();
  const work = vi.fn(async () => 1);
  await expect(inTurn(work, { signal: leaving.signal })).rejects.toMatchObject({ name: "AbortError" });
  expect(work).not.toHaveBeenCalled();
});
