import { useEffect, useRef, useState } from 'react'
import { afterPaint } from '../after-paint.ts'
import { usePlace } from '../go.tsx'
import { useKeys } from '../keys.ts'
import { Choice, Choices, TextField, Tick } from '../kit/field.tsx'
import { t } from '../words.ts'

const ASK_AFTER_MS = 300

/** A filter of a listing, with its parameter in the URL. */
export type Filter = { name: string; label: string } & (
  | { kind: 'tick' }
  /** A few values side by side. */
  | { kind: 'choices'; options: readonly { value: string; label: string }[] }
  /** One of many values. */
  | { kind: 'select'; options: readonly { value: string; label: string }[] }
  | { kind: 'day' }
)

/**
 * A search field. It shows each letter immediately; rows follow after the letter has been painted, and `onAsk` a moment later. `typed` is the text that the rows
 * follow: if something else changes it, for example “Clear filters”, what was typed before is no longer asked for.
 */
export function Search({
  label,
  className = '',
  typed,
  onType,
  onAsk,
}: {
  label: string
  className?: string
  typed: string
  onType(text: string): void
  onAsk(q: string | undefined): void
}) {
  const [text, setText] = useState(typed)
  const field = useRef<HTMLInputElement>(null)
  const asking = useRef<ReturnType<typeof setTimeout>>(undefined)
  const passing = useRef(() => {})
  const own = useRef(typed)
  useKeys({ '/': () => field.current?.focus() })
  useEffect(() => {
    if (typed === own.current) return
    own.current = typed
    clearTimeout(asking.current)
    passing.current()
    setText(typed)
  }, [typed])
  useEffect(() => () => clearTimeout(asking.current), [])
  return (
    <input
      ref={field}
      type="search"
      className={`input ${className}`}
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={label}
      value={text}
      onChange={event => {
        const next = event.target.value
        setText(next)
        passing.current()
        passing.current = afterPaint(() => {
          own.current = next
          onType(next)
        })
        clearTimeout(asking.current)
        asking.current = setTimeout(() => onAsk(next.trim() || undefined), ASK_AFTER_MS)
      }}
      onKeyDown={event => {
        if (event.key === 'Escape') event.currentTarget.blur()
      }}
    />
  )
}

/** The filters of a listing; their values are in the URL. */
export function FilterFields({ filters }: { filters: readonly Filter[] }) {
  const [place, setPlace] = usePlace()
  return filters.map(filter => (
    <Field key={filter.name} filter={filter} value={place[filter.name]} onChange={value => setPlace({ [filter.name]: value })} />
  ))
}

function Field({ filter, value, onChange }: { filter: Filter; value: string | undefined; onChange(value: string | undefined): void }) {
  const { label } = filter
  if (filter.kind === 'tick')
    return <Tick label={label} checked={value !== undefined} onChange={event => onChange(event.target.checked ? '1' : undefined)} />
  if (filter.kind === 'choices')
    return (
      <Choices
        label={label}
        hidden
        options={[{ value: '', label: t('common.all') }, ...filter.options]}
        value={filter.options.some(one => one.value === value) ? (value ?? '') : ''}
        onChoose={next => onChange(next || undefined)}
      />
    )
  const given = { label, value: value ?? '', onChange: (event: { target: { value: string } }) => onChange(event.target.value || undefined) }
  return filter.kind === 'day' ? (
    <TextField type="date" className="mono" {...given} />
  ) : (
    <Choice empty={t('common.all')} options={filter.options} {...given} />
  )
}

/** Returns the typed search text, which follows the URL when that is changed elsewhere. */
export function useTyped(): [string, (text: string) => void] {
  const [place] = usePlace()
  const [typed, setTyped] = useState(place.q ?? '')
  const sent = useRef(place.q)
  useEffect(() => {
    if (place.q === sent.current) return
    sent.current = place.q
    // The field's own text without the spaces at its ends is not a change.
    setTyped(now => (now.trim() === (place.q ?? '') ? now : (place.q ?? '')))
  }, [place.q])
  return [typed, setTyped]
}
