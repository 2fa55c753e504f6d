import { type ComponentProps, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { Flag } from '../fault.ts'
import { t } from '../words.ts'

type Look = 'primary' | 'danger' | 'quiet' | undefined
type Given = Omit<ComponentProps<'button'>, 'children'> & { look?: Look; square?: boolean; wide?: boolean; children: ReactNode }

const classOf = (look: Look, square?: boolean, wide?: boolean, extra?: string) =>
  ['btn', look, square && 'square', wide && 'wide', extra].filter(Boolean).join(' ')

/** A button. `square`: an icon only, which then needs `aria-label`. */
export function Button({ look, square, wide, className, type = 'button', ...rest }: Given) {
  return <button type={type} className={classOf(look, square, wide, className)} {...rest} />
}

type FlagGiven = Given & {
  /** The service's decision: allowed, or the reasons why not. */
  flag: Flag | undefined
  /** Shows the reasons in place instead of only announcing them. */
  explained?: boolean
}

/** A button whose permission comes from the service: when refused, it is disabled, not hidden, and gives the reason. */
export function FlagButton({ flag, explained = true, onClick, ...rest }: FlagGiven) {
  const id = useId()
  const refused = flag !== undefined && !flag.allowed
  const why = refused ? flag.because.map(one => one.detail).join(' ') : ''
  return (
    <span className="stack tight">
      <Button
        {...rest}
        aria-disabled={refused || flag === undefined || undefined}
        aria-describedby={why === '' ? undefined : id}
        title={explained || why === '' ? rest.title : why}
        onClick={event => {
          if (!refused && flag !== undefined) onClick?.(event)
          else event.preventDefault()
        }}
      />
      {why !== '' && (
        <span id={id} className={explained ? 'because' : 'unseen'}>
          {why}
        </span>
      )}
    </span>
  )
}

const HOLD_MS = 900

/** A button for what can't be undone: it must be pressed for a while, not tapped, even with the keyboard. */
export function HoldButton({ look, wide, className, onHeld, children, ...rest }: Omit<Given, 'onClick'> & { onHeld(): void }) {
  const [holding, setHolding] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const since = useRef(0)
  const begin = (at: number) => {
    if (rest.disabled || rest['aria-disabled'] || timer.current !== undefined) return
    setHolding(true)
    since.current = at
    timer.current = setTimeout(() => {
      end()
      onHeld()
    }, HOLD_MS)
  }
  const end = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    setHolding(false)
  }
  /** A busy phone may report the release before its timer has run: what counts is how long the button was really held. */
  const release = (at: number) => {
    const held = timer.current !== undefined && at - since.current >= HOLD_MS
    end()
    if (held) onHeld()
  }
  return (
    <button
      type="button"
      className={`${classOf(look, false, wide, className)}${holding ? ' holding' : ''}`}
      {...rest}
      title={t('common.hold')}
      onPointerDown={(event: PointerEvent) => {
        if (event.button === 0) begin(event.timeStamp)
      }}
      onPointerUp={event => release(event.timeStamp)}
      onPointerLeave={end}
      onPointerCancel={end}
      onContextMenu={event => event.preventDefault()}
      onKeyDown={event => {
        if ((event.key === 'Enter' || event.key === ' ') && !event.repeat) begin(event.timeStamp)
      }}
      onKeyUp={event => release(event.timeStamp)}
      onBlur={end}
    >
      <span className="hold" aria-hidden />
      <span className="held">
        {children}
        {/* If the button has an accessible name of its own, screen readers announce only that name: the hint is then drawn by CSS, and is in the title. */}
        {rest['aria-label'] === undefined ? (
          <span className="hold-word">{t('common.hold')}</span>
        ) : (
          <span className="hold-word" data-word={t('common.hold')} />
        )}
      </span>
    </button>
  )
}
