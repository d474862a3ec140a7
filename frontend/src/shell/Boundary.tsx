import { Component, type ComponentChildren } from "preact";

interface Props {
  title: string;
  onReset: () => void;
  children: ComponentChildren;
}

// A defect in one room stays in that room.
export class Boundary extends Component<Props, { message: string | null }> {
  override state = { message: null as string | null };

  static override getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    if (this.state.message === null) return this.props.children;
    const reset = () => {
      this.props.onReset();
      this.setState({ message: null });
    };
    return (
      <div class="notice" role="alert">
        <p>{`${this.props.title} cannot be shown with these settings: ${this.state.message}`}</p>
        <button type="button" onClick={reset}>
          Reset this view
        </button>
      </div>
    );
  }
}
