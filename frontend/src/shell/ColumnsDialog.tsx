import { useDesk } from "../ask";
import { ColumnsForm } from "../start/ColumnsForm";
import { Dialog } from "../ui/Dialog";
import { usePlace } from "./place";

// What the columns mean, said again: the questions are then asked anew.
export function ColumnsDialog({ onClose }: { onClose: () => void }) {
  const place = usePlace();
  const { table } = useDesk();
  return (
    <Dialog title="What do the columns mean?" wide onClose={onClose}>
      <ColumnsForm table={table} known={place.roles(table)} onOpened={(roles) => place.open(table, roles)} onCancel={onClose} />
    </Dialog>
  );
}
