// Where the workbench stands: its host, its theme, and how another table is opened.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Host, Roles, Start } from "../host";
import type { ThemeChoice } from "./theme";

export interface Place {
  host: Host;
  theme: ThemeChoice;
  start: Start | null; // null: not heard of yet
  open: (table: string, roles?: Roles) => void; // also the same one again, its columns meaning something else
  follow: (from: string, to: string, news: string | null) => void; // the same file, read anew: the state stays
  close: () => void; // back to the start page
  roles: (table: string) => Roles | null; // what was chosen here, where that is known
}

export const PlaceContext = createContext<Place | null>(null);
export const usePlace = (): Place => useContext(PlaceContext)!;
