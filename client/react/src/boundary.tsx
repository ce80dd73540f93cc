/** Shows a sentence and a button in place of what failed to render. */
import { CardwireError } from '@cardwire/client'
import { describeConnection } from '@cardwire/client/describe'
import { Component, type ContextType, type ErrorInfo, type ReactNode } from 'react'
import { CardwireContext } from './context.ts'

/** What is below a boundary, and how its failures are shown. */
export interface CardwireBoundaryProps {
  readonly children?: ReactNode
  readonly className?: string | undefined
  /** Called with what was thrown, for your logs. */
  readonly onError?: ((error: unknown, info: ErrorInfo) => void) | undefined
}

interface BoundaryState {
  readonly failure: { readonly error: unknown } | undefined
}

/** An error boundary: what throws below becomes a sentence for the user with a button to try again. */
export class CardwireBoundary extends Component<CardwireBoundaryProps, BoundaryState> {
  static override contextType = CardwireContext
  declare context: ContextType<typeof CardwireContext>
  override state: BoundaryState = { failure: undefined }

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: { error } }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.onError?.(error, info)
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (!failure) return this.props.children
    const { title, text, action, language } = describeConnection(
      { status: 'failed', error: toShown(failure.error), retry: this.#retry },
      { language: this.context?.language },
    )
    return (
      <div role="alert" className={this.props.className} data-cardwire="failed" lang={language}>
        <h2 data-cardwire-part="title">{title}</h2>
        <p data-cardwire-part="text">{text}</p>
        <button type="button" data-cardwire-part="action" onClick={action?.run}>
          {action?.label}
        </button>
      </div>
    )
  }

  readonly #retry = (): void => this.setState({ failure: undefined })
}

const toShown = (error: unknown): CardwireError =>
  CardwireError.is(error)
    ? error
    : new CardwireError({ code: '100', reason: 'refused' }, 'Cannot render the page', {
        cause: error,
      })
