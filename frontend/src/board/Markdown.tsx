// A note as it is read: headings, lists, quotes, code, emphasis and links. It becomes elements, never HTML, so
// whatever is typed stays text; links lead to the web or to mail only.
import type { ComponentChildren } from "preact";

export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{blocks(text.replace(/\r\n?/g, "\n").split("\n"))}</div>;
}

const FENCE = /^\s*```/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const BULLET = /^\s*[-*+]\s+(.*)$/;
const NUMBER = /^\s*\d+[.)]\s+(.*)$/;
const QUOTE = /^\s*>\s?(.*)$/;
const STARTS = [FENCE, HEADING, BULLET, NUMBER, QUOTE];

function blocks(lines: readonly string[]): ComponentChildren[] {
  const found: ComponentChildren[] = [];
  let at = 0;
  const taken = (holds: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && holds(lines[at]!)) at += 1;
    return lines.slice(from, at);
  };
  const parts = (form: RegExp): string[] => taken((line) => form.test(line)).map((line) => form.exec(line)![1]!);
  while (at < lines.length) {
    const line = lines[at]!;
    const key = at;
    const heading = HEADING.exec(line);
    if (FENCE.test(line)) {
      at += 1;
      const code = taken((one) => !FENCE.test(one));
      at += 1;
      found.push(
        <pre key={key} tabIndex={0}>
          <code>{code.join("\n")}</code>
        </pre>,
      );
    } else if (heading) {
      at += 1;
      found.push(heading[1]!.length === 1 ? <h3 key={key}>{inline(heading[2]!)}</h3> : <h4 key={key}>{inline(heading[2]!)}</h4>);
    } else if (BULLET.test(line)) found.push(<ul key={key}>{items(parts(BULLET))}</ul>);
    else if (NUMBER.test(line)) found.push(<ol key={key}>{items(parts(NUMBER))}</ol>);
    else if (QUOTE.test(line)) found.push(<blockquote key={key}>{blocks(parts(QUOTE))}</blockquote>);
    else if (line.trim() === "") at += 1;
    else {
      const said = taken((one) => one.trim() !== "" && !STARTS.some((form) => form.test(one)));
      found.push(<p key={key}>{said.flatMap((one, place) => (place ? [<br key={place} />, ...inline(one)] : inline(one)))}</p>);
    }
  }
  return found;
}

const items = (texts: readonly string[]) => texts.map((text, place) => <li key={place}>{inline(text)}</li>);

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^()\s]+)\)/g;
const SAFE = /^(https?:\/\/|mailto:)/i;

function inline(text: string): ComponentChildren[] {
  const found: ComponentChildren[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, weak, words, address] = match;
    found.push(text.slice(from, match.index));
    if (code !== undefined) found.push(<code>{code}</code>);
    else if (strong !== undefined) found.push(<strong>{inline(strong)}</strong>);
    else if (weak !== undefined) found.push(<em>{inline(weak)}</em>);
    else if (SAFE.test(address!)) {
      found.push(
        <a href={address} target="_blank" rel="noopener noreferrer">
          {words}
        </a>,
      );
    } else found.push(whole);
    from = match.index + whole.length;
  }
  return [...found, text.slice(from)];
}
