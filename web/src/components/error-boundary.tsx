import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = { children: ReactNode; renderFailure: (error: unknown) => ReactNode }
type ErrorBoundaryState = { failure: { error: unknown } | null }

/** Shows `renderFailure` in place of children that throw while they are drawn. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: null }

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: { error } }
  }

  override render() {
    const { failure } = this.state
    return failure ? this.props.renderFailure(failure.error) : this.props.children
  }
}
