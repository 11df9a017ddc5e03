import { Component, type ReactNode } from 'react'

/** Around what only accompanies a page: when it cannot be shown, nothing stands there and the page goes on. React logs why. */
export class Quiet extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    return this.state.failed ? null : this.props.children
  }
}
