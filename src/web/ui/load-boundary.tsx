import { Component, type ReactNode, Suspense } from "react";
import { LoadError } from "./lazy-part.ts";
import { Failed } from "./states.tsx";

type Props = {
  children: ReactNode;
  fallback?: ReactNode;
  /** Another page gets another try. */
  page?: string;
};

type State = { error?: Error; page?: string };

/** Shows a part's skeleton while it loads, and says so when it cannot be shown. */
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
          ? "The connection dropped, or Watchglass was updated meanwhile. Nothing you saved is lost."
          : "It met something it did not expect. Nothing you saved is lost."}
      </Failed>
    );
  }
}
