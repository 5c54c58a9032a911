import { Component, type ComponentChildren } from 'preact';
import { Notice } from './parts';

/**
 * Contains an error of its children's rendering, so that an unexpected field of a response costs
 * one part of the page, and not the page.
 */
export class Boundary extends Component<{ children: ComponentChildren }, { broken: boolean }> {
  override state = { broken: false };

  static override getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(cause: unknown) {
    console.error(cause);
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <Notice kind="bad">
        This part cannot be shown. The rest of the page works.{' '}
        <a href={location.href} onClick={() => location.reload()}>
          Reload the page
        </a>
      </Notice>
    );
  }
}
