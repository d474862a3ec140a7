import { percentText } from "../ui/format";

// A file on its way; when all of it has arrived, it is read.
export function Uploading({ name, share, cancel }: { name: string; share: number | null; cancel: () => void }) {
  const said = share !== null && share >= 1 ? `Reading ${name} …` : `Sending ${name} …`;
  return (
    <div class="drop sending">
      <span role="status">{said}</span>
      <progress aria-label={said} {...(share === null || share >= 1 ? {} : { value: share, max: 1 })} />
      <div class="row">
        {share !== null && share < 1 && <span>{percentText(share)}</span>}
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </div>
  );
}
