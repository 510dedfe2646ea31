import { Component, type ReactNode, Suspense } from "react";
import { Failed } from "../states.tsx";
import { LoadError } from "./lazy-part.ts";

type Props = {
  children: ReactNode;
  fallback?: ReactNode;
  /** A change of the page clears the error and tries again. */
  page?: string;
};

type State = { error?: Error; page?: string };

/** Shows a fallback while a part loads, and an error if it cannot be shown. */
export class LoadBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: State) {
    return props.page === state.page ? null : { page: props.page, error: undefined };
  }

  override componentDidCatch(error: Error) {
    if (error instanceof LoadError) error.forget?.();
  }

  override render() {
    const { error } = this.state;
    if (!error) return <Suspense fallback={this.props.fallback ?? null}>{this.props.children}</Suspense>;
    const isLoad = error instanceof LoadError;
    return (
      <Failed
        title={isLoad ? error.message : "This part stopped working"}
        action="Reload"
        onAction={() => location.reload()}
      >
        {isLoad
          ? "The connection was lost, or Watchglass was updated. Nothing you saved is lost."
          : "Something unexpected happened. Nothing you saved is lost."}
      </Failed>
    );
  }
}
