import { Hint } from "../ui/Notice";
import { usePart } from "../store";
import { useRequests } from "../requests";
import { ignoredSettings } from "./questions";

// Which of the settings above a section cannot take.
export function IgnoredSettings({ section }: { section: Parameters<typeof ignoredSettings>[0] }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const requests = useRequests();
  return (
    <>
      {ignoredSettings(section, { data, calibration, requests }).map((text) => <Hint key={text}>{text}</Hint>)}
    </>
  );
}
