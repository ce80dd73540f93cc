/** The steps to the readers: what the state of the connection asks of the user, and then the page. */
import type { ConnectionState } from '@cardwire/client/connection'
import type { ConnectionText } from '@cardwire/client/describe'
import { type FocusEvent, type ReactNode, useEffect, useRef } from 'react'
import { useConnection, useConnectionText } from './use-connection.ts'

/** How the steps look. Style them by `className`, `[data-cardwire="not-running"]` and `[data-cardwire-part="action"]`. */
export interface ConnectProps {
  /** Shown when the page can use the readers. */
  readonly children?: ReactNode
  readonly className?: string | undefined
  /** The element of the title; default: `h2`. */
  readonly heading?: 'h1' | 'h2' | 'h3' | 'h4' | undefined
  /** What is inside a step, in place of its own elements. The title and the text are announced wherever you put them. */
  readonly render?: ((text: ConnectionText, state: ConnectionState) => ReactNode) | undefined
}

/** Shows what the user has to do, with a button, and the children when the page can use the readers. */
export function Connect({ children, className, heading = 'h2', render }: ConnectProps) {
  const state = useConnection()
  const text = useConnectionText()
  const isReady = state.status === 'ready'
  const step = `${state.status} ${text.codeWord ?? ''}`
  const keptFocus = useKeptFocus(step)
  return (
    <div
      {...keptFocus}
      tabIndex={-1}
      className={className}
      data-cardwire={state.status}
      data-cardwire-stale={isReady && state.stale ? '' : undefined}
    >
      <div role="status" aria-atomic="true" lang={text.language}>
        {!isReady && render ? render(text, state) : <Texts text={text} heading={heading} />}
      </div>
      {!isReady && !render && <Acts text={text} />}
      {isReady && children}
    </div>
  )
}

function Texts({
  text: { title, text },
  heading: Heading,
}: {
  readonly text: ConnectionText
  readonly heading: NonNullable<ConnectProps['heading']>
}) {
  return (
    <>
      {title !== '' && (
        <Heading tabIndex={-1} data-cardwire-part="title">
          {title}
        </Heading>
      )}
      {text !== '' && <p data-cardwire-part="text">{text}</p>}
    </>
  )
}

function Acts({ text: { codeWord, action, link, language } }: { readonly text: ConnectionText }) {
  if (!codeWord && !action && !link) return null
  return (
    <div lang={language} data-cardwire-part="actions">
      {codeWord && (
        <p>
          <code data-cardwire-part="code">{codeWord}</code>
        </p>
      )}
      {action && (
        <button type="button" data-cardwire-part="action" onClick={action.run}>
          {action.label}
        </button>
      )}
      {link && (
        <a href={link.href} data-cardwire-part="link">
          {link.label}
        </a>
      )}
    </div>
  )
}

/** When what has the focus goes with its step, the title of the next step gets it, or the page that comes after the steps. */
function useKeptFocus(step: string) {
  const root = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    const place = root.current
    if (!hasFocus.current || !place || isInside(place, place.ownerDocument.activeElement)) return
    const title = place.querySelector<HTMLElement>('[data-cardwire-part="title"]')
    const next = title ?? place
    next.focus()
  }, [step])
  return {
    ref: root,
    onFocus: (): void => {
      hasFocus.current = true
    },
    /** An element that is removed has lost the focus, and its user has not left. */
    onBlur: ({ target, relatedTarget }: FocusEvent<HTMLElement>): void => {
      if (target.isConnected && !isInside(root.current, relatedTarget)) hasFocus.current = false
    },
  }
}

const isInside = (place: Element | null, element: EventTarget | null): boolean =>
  element !== null && place !== null && place !== element && place.contains(element as Node)
