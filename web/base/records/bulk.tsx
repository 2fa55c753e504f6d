import { useState } from 'react'
import { asFault } from '../fault.ts'
import { Button, HoldButton } from '../kit/button.tsx'
import { Note } from '../kit/note.tsx'
import { Window } from '../kit/window.tsx'
import { t } from './says.ts'
import type { Bulk, RowLook } from './types.ts'

type Given<R> = { rows: readonly R[]; look: Pick<RowLook<R>, 'idOf' | 'nameOf'>; bulk: readonly Bulk<R>[]; onClear(): void }
type Result = { name: string; why: string | null }

/** What can be done with the selected rows. Each row is decided on by itself; afterwards each one has its result. */
export function BulkBar<R>({ rows, look, bulk, onClear }: Given<R>) {
  const [results, setResults] = useState<{ label: string; of: Result[] } | null>(null)
  const [busy, setBusy] = useState(false)
  const run = async (one: Bulk<R>) => {
    if (busy) return
    setBusy(true)
    const of: Result[] = []
    // The calls are made one after another, so that the service decides on each with what the previous one has changed.
    for (const row of rows) {
      const flag = one.flagOf(row)
      const why = flag.allowed
        ? await one.act(row).then(
            () => null,
            error => asFault(error).message,
          )
        : flag.because.map(reason => reason.detail).join(' ') || t('listing.not_allowed')
      of.push({ name: look.nameOf(row), why })
    }
    setBusy(false)
    setResults({ label: one.label, of })
  }
  if (rows.length === 0 && results === null) return null
  return (
    <>
      {rows.length > 0 && (
        <div className="submit-bar" role="status">
          <span>{t('listing.chosen', { n: rows.length })}</span>
          <span className="row">
            <Button onClick={onClear}>{t('listing.choose_none')}</Button>
            {bulk.map(one =>
              one.look === 'danger' ? (
                <HoldButton key={one.label} look="danger" onHeld={() => void run(one)}>
                  {one.label}
                </HoldButton>
              ) : (
                <Button key={one.label} look={one.look} aria-busy={busy} disabled={busy} onClick={() => void run(one)}>
                  {one.label}
                </Button>
              ),
            )}
          </span>
        </div>
      )}
      {results !== null && (
        <Results
          {...results}
          onClose={() => {
            setResults(null)
            onClear()
          }}
        />
      )}
    </>
  )
}

function Results({ label, of, onClose }: { label: string; of: readonly Result[]; onClose(): void }) {
  const refused = of.filter(one => one.why !== null)
  return (
    <Window title={label} onClose={onClose}>
      {refused.length < of.length && <Note kind="safe" title={t('listing.done', { n: of.length - refused.length })} />}
      {refused.length > 0 && (
        <Note kind="stop" title={t('listing.refused', { n: refused.length })}>
          <ul className="small">
            {refused.map(one => (
              <li key={one.name}>
                <span className="strong">{one.name}</span>: {one.why}
              </li>
            ))}
          </ul>
        </Note>
      )}
      <Button look="primary" wide onClick={onClose}>
        {t('common.close')}
      </Button>
    </Window>
  )
}
