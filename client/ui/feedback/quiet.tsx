import { Component, type ReactNode } from 'react'

/**
 * An error boundary around an optional part of a page: if it throws, nothing is shown in its place. React logs the
 * error.
 */
export class Quiet extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    return this.state.failed ? null : this.props.children
  }
}
