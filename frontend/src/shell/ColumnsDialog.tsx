import { useClient } from "../ask";
import type { Roles } from "../host";
import { ColumnsForm } from "../start/ColumnsForm";
import { useStore } from "../store";
import { Dialog } from "../ui/Dialog";
import { usePlace } from "./place";

// What the columns mean, said again: a table of its own, for another tab may show the old one. The
// board comes along.
export function ColumnsDialog({ onClose }: { onClose: () => void }) {
  const place = usePlace();
  const store = useStore();
  const { table } = useClient();
  const open = (again: string, roles: Roles) => {
    const { board } = store.state;
    place.open(again, roles);
    store.replace({ ...store.state, board });
  };
  return (
    <Dialog title="What do the columns mean?" wide onClose={onClose}>
      <ColumnsForm table={table} known={place.roles(table)} onOpened={open} onCancel={onClose} />
    </Dialog>
  );
}
