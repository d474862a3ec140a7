import { describe, expect, it } from "vitest";
import { TableClient, failureOf } from "../src/ask";
import { AskError, type Asking, type Host, type Question } from "../src/host";

interface Pending {
  question: Question;
  asking: Asking;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

function client() {
  const asked: Pending[] = [];
  const host = {
    ask: (_: string, question: Question, asking: Asking) =>
      new Promise((resolve, reject) => {
        asking.signal?.addEventListener("abort", () => reject(asking.signal!.reason));
        asked.push({ question, asking, resolve, reject });
      }),
    alive: async (table: string) => ({ news: null, table }),
  } as unknown as Host;
  return { client: new TableClient(host, "T"), asked };
}

const QUESTION = { kind: "about" };
const kindOf = (promise: Promise<unknown>) => promise.then(() => "answered", (error: unknown) => failureOf(error).kind);

describe("questions", () => {
  it("are asked once, and known from then on", async () => {
    const { client: one, asked } = client();
    const both = [one.ask(QUESTION), one.ask(QUESTION)];
    asked[0]!.resolve({ n: 1 });
    expect(await Promise.all(both)).toEqual([{ n: 1 }, { n: 1 }]);
    expect(await one.ask(QUESTION)).toEqual({ n: 1 });
    expect([asked.length, one.known(QUESTION)]).toEqual([1, { n: 1 }]);
  });

  it("are cancelled when the last who waits has left, not before", async () => {
    const { client: one, asked } = client();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = kindOf(one.ask(QUESTION, { signal: first.signal }));
    const stayed = kindOf(one.ask(QUESTION, { signal: second.signal }));
    first.abort();
    expect(await left).toBe("cancelled");
    expect(asked[0]!.asking.signal!.aborted).toBe(false);
    second.abort();
    expect(await stayed).toBe("cancelled");
    expect(asked[0]!.asking.signal!.aborted).toBe(true);
  });

  it("are asked anew after they were cancelled", async () => {
    const { client: one, asked } = client();
    const controller = new AbortController();
    const first = kindOf(one.ask(QUESTION, { signal: controller.signal }));
    controller.abort();
    const second = one.ask(QUESTION);
    asked[1]!.resolve({ n: 2 });
    expect([await first, await second]).toEqual(["cancelled", { n: 2 }]);
  });

  it("tell everybody who waits how far they are", async () => {
    const { client: one, asked } = client();
    const heard: number[] = [];
    const both = [1, 10].map((factor) => one.ask(QUESTION, { onProgress: (done) => heard.push(factor * done) }));
    asked[0]!.asking.onProgress!(3, 4);
    asked[0]!.resolve({});
    await Promise.all(both);
    expect(heard).toEqual([3, 30]);
  });

  it("keep no failure, and say when the table is gone", async () => {
    const { client: one, asked } = client();
    let changes = 0;
    one.subscribe(() => (changes += 1));
    const failing = kindOf(one.ask(QUESTION));
    asked[0]!.reject(new AskError({ kind: "gone", message: "closed" }));
    expect([await failing, one.trouble?.kind, changes]).toEqual(["gone", "gone", 1]);
    await one.alive();
    expect([one.trouble, changes]).toEqual([null, 2]);
    const again = one.ask(QUESTION);
    asked[1]!.resolve({ n: 3 });
    expect(await again).toEqual({ n: 3 });
  });

  it("forget the least used answers, a hundred are kept", async () => {
    const { client: one, asked } = client();
    for (let place = 0; place < 101; place++) {
      const answer = one.ask({ kind: "about", place });
      asked[place]!.resolve({ place });
      await answer;
      await one.ask({ kind: "about", place: 0 });
    }
    expect([one.known({ kind: "about", place: 0 }), one.known({ kind: "about", place: 1 })]).toEqual([{ place: 0 }, undefined]);
  });
});

describe("failures", () => {
  it("have a kind, whatever was thrown", () => {
    expect(failureOf(new DOMException("", "AbortError")).kind).toBe("cancelled");
    expect(failureOf(new TypeError("broken"))).toEqual({ kind: "crash", message: "broken" });
    expect(failureOf("text")).toEqual({ kind: "crash", message: "text" });
  });
});
