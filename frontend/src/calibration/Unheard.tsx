import { Hint } from "../ui/Notice";
import { usePart } from "../store";
import { useRequests } from "../requests";
import { unheard } from "./questions";

// Which of the settings above a section cannot take.
export function Unheard({ section }: { section: Parameters<typeof unheard>[0] }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const requests = useRequests();
  return (
    <>
      {unheard(section, { data, calibration, requests }).map((text) => <Hint key={text}>{text}</Hint>)}
    </>
  );
}
