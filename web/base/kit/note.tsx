import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { isBusy } from '../again.ts'
import { asFault, type Fault, reasonsIn } from '../fault.ts'
import { listeners } from '../listeners.ts'
import { clockOf } from '../time.ts'
import { t } from '../words.ts'
import { Button } from './button.tsx'
import { faultSaid } from './fault-words.ts'
import { useUnshown } from './faults.tsx'
import { Glyph } from './glyph.tsx'

/** A note, in the colour of its severity, with a shape and a word in addition to the colour. */
export function Note({
  kind,
  title,
  children,
}: {
  kind?: 'warn' | 'stop' | 'safe' | 'act' | 'mine'
  title?: ReactNode
  children?: ReactNode
}) {
  const glyph = { warn: 'warning', stop: 'stop', safe: 'ok', act: 'must', mine: 'hand' } as const
  return (
    <div className={`note ${kind ?? ''}`} role={kind === 'stop' ? 'alert' : undefined}>
      {kind !== undefined && <Glyph name={glyph[kind]} />}
      <div>
        {title !== undefined && <p className="strong">{title}</p>}
        {children}
      </div>
    </div>
  )
}

/** Says that what is shown couldn't be refreshed, and from when it is; `at` in milliseconds. */
export function Stale({ at, zone }: { at: number; zone: string }) {
  return <Note kind="warn">{t('fault.stale', { time: clockOf(new Date(at).toISOString(), zone) })}</Note>
}

/** Returns what is wrong; where fields are, by their labels. */
function titleOf(fault: Fault): string {
  const [first, ...others] = fault.fields
  if (first === undefined || fault.code !== 'validation_failed') return fault.message
  return others.length === 0 ? faultSaid(...first) : t('fault.fields', { n: fault.fields.size })
}

/** Puts the focus on the first field of a form with a fault, also in a part that is folded up, so that it is in view and a screen reader says what is wrong. */
function focusFault(form: HTMLElement | null | undefined): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid]')
  const folded = field?.closest('details')
  if (folded != null) folded.open = true
  if (field != null) field.focus()
  else form?.querySelector('.fault')?.scrollIntoView({ block: 'center' })
}

/**
 * A refusal in the service's own words, with what is in the way, and one action. What a field of the form shows isn’t said again, only how many there are. `typing`: it
 * refused what is saved while a person types, so the focus stays where it is.
 */
export function FaultNote({ error, onRetry, typing = false }: { error: unknown; onRetry?(): void; typing?: boolean }) {
  const fault = asFault(error)
  const { fields } = fault
  const unshown = useUnshown(error)
  const place = useRef<HTMLSpanElement>(null)
  const shown = !typing && fields.size > unshown.size
  useEffect(() => {
    if (error !== null && shown) focusFault(place.current?.closest<HTMLElement>('form, dialog, main'))
  }, [error, shown])
  if (shown && fields.size === 1) return <span ref={place} hidden />
  const more = reasonsIn(fault.context).filter(one => one.detail !== fault.message)
  const busy = isBusy(fault)
  const broken = fault.status >= 500 && !busy
  return (
    <Note kind={fault.unreached || busy ? 'warn' : 'stop'} title={titleOf(fault)}>
      {shown && <span ref={place} hidden />}
      {more.length > 0 && (
        <ul className="small">
          {more.map(one => (
            <li key={one.code + one.detail}>{one.detail}</li>
          ))}
        </ul>
      )}
      {fields.size > 1 && unshown.size > 0 && (
        <ul className="small">
          {[...unshown].map(([path, message]) => (
            <li key={path}>{faultSaid(path, message)}</li>
          ))}
        </ul>
      )}
      <div className="row">
        {onRetry !== undefined && <Button onClick={onRetry}>{t('common.retry')}</Button>}
        {broken && (
          <Button
            look="quiet"
            onClick={() => void navigator.clipboard.writeText(`${fault.code} ${fault.request_id ?? ''} ${location.pathname}`)}
          >
            {t('fault.report')}
          </Button>
        )}
      </div>
    </Note>
  )
}

type Waiting = { query: { data: unknown; error: unknown; refetch(): unknown }; rows?: number; height?: number }

/** The state of data that is loading: a skeleton until it arrives, the fault when it doesn't, nothing once it is there. */
export function Wait({ query, ...skeleton }: Waiting) {
  if (query.data !== undefined) return null
  return query.error === null ? <Skeleton {...skeleton} /> : <FaultNote error={query.error} onRetry={() => void query.refetch()} />
}

/** A page before its data has loaded, or without it. It already has its heading, so that a screen reader knows where it is. */
export function PageWait({ title, rows = 4, ...waiting }: Waiting & { title: string }) {
  return (
    <div className="stack">
      <h1>{title}</h1>
      <Wait rows={rows} {...waiting} />
    </div>
  )
}

/** An empty state: one sentence and one action. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <Glyph name="card" size={40} />
      <p>{children}</p>
      {action}
    </div>
  )
}

/** A skeleton of what will appear in a moment. */
export function Skeleton({ rows = 3, height = 72 }: { rows?: number; height?: number }) {
  return (
    <div className="stack" role="status" aria-label={t('common.loading')}>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the elements are all the same.
        <div key={i} className="bone" style={{ height }} />
      ))}
    </div>
  )
}

type Toast = { id: number; text: string; stop: boolean; undo?: { label: string; run(): void } }
let toasts: readonly Toast[] = []
let counter = 0
const heard = listeners()
const tell = (next: readonly Toast[]) => {
  toasts = next
  heard.tell()
}
const TOAST_MS = 6000

/** Shows a toast for six seconds, or for twelve if it is a refusal, or can be undone. */
export function toast(text: string, options: { stop?: boolean; undo?: { label: string; run(): void } } = {}): void {
  const id = ++counter
  tell([...toasts.slice(-2), { id, text, stop: options.stop ?? false, ...(options.undo === undefined ? {} : { undo: options.undo }) }])
  setTimeout(() => tell(toasts.filter(one => one.id !== id)), options.stop === true || options.undo !== undefined ? 2 * TOAST_MS : TOAST_MS)
}

/** Shows a refusal as a toast. */
export const toastFault = (error: unknown): void => toast(asFault(error).message, { stop: true })

/** The place of the toasts. */
export function Toasts() {
  const shown = useSyncExternalStore(heard.hear, () => toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(one => (
        <div key={one.id} className={`toast${one.stop ? ' stop' : ''}`}>
          <span>{one.text}</span>
          {one.undo !== undefined && (
            <button
              type="button"
              onClick={() => {
                tell(toasts.filter(other => other.id !== one.id))
                one.undo?.run()
              }}
            >
              {one.undo.label}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
