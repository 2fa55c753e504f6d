import type { ReactNode } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { saveFile } from '../../../../base/save.ts'
import { numberOf } from '../../../../base/words.ts'
import type { Found } from '../data.ts'
import { countsOf, findingsCsv, unknownPlaces } from '../model.ts'
import { t, tOf } from '../says.ts'

const SHOWN = 50
const ROWS_SHOWN = 10
const rowsText = (rows: readonly number[]): string =>
  t('import.in_rows', { n: rows.length, rows: rows.slice(0, ROWS_SHOWN).join(', ') }) + (rows.length > ROWS_SHOWN ? '…' : '')
const duplicateText = (one: Found['duplicates'][number]): string =>
  t('import.duplicate', { number: one.permit_number, row: one.row, replaced: one.replaced_row })

const COUNTS = ['new', 'changed', 'unchanged', 'refused'] as const

/** Shows what a register would do, or did: counts first, then what needs attention. */
export function Findings({ found, name, dry }: { found: Found; name: string; dry: boolean }) {
  const counts = countsOf(found)
  const places = unknownPlaces(found)
  const save = () => {
    const csv = findingsCsv(found, [t('import.row'), t('import.column'), t('import.value'), t('import.finding')], {
      duplicate: duplicateText,
      kept: one => t('import.kept_row', { number: one.permit_number, status: tOf('status', one.status) }),
    })
    saveFile(`${name.replace(/\.\w+$/, '')}-findings.csv`, new Blob([csv], { type: 'text/csv' }))
  }
  return (
    <section className="panel stack" aria-label={t(dry ? 'import.would' : 'import.did')}>
      <header>
        <h2>{t(dry ? 'import.would' : 'import.did')}</h2>
        {[found.errors, found.unresolved_locations, found.duplicates, found.kept].some(list => list.length > 0) && (
          <Button onClick={save}>
            <Glyph name="import" />
            {t('import.findings_file')}
          </Button>
        )}
      </header>
      <dl className="counts">
        {COUNTS.map(count => (
          <div key={count} className={count === 'refused' && counts.refused > 0 ? 'bad' : ''}>
            <dt>{t(`import.${count}`)}</dt>
            <dd className="mono">{numberOf(counts[count])}</dd>
          </div>
        ))}
      </dl>
      {found.warnings.map(warning => (
        <Note key={warning.code + warning.detail} kind="warn">
          {warning.detail}
        </Note>
      ))}
      {counts.refused > 0 && (
        <Part title={t('import.errors', { n: counts.refused })} says={t('import.errors_say')} open>
          <div className="table-wrap" role="group" aria-label={t('import.errors', { n: counts.refused })}>
            <table className="table">
              <thead>
                <tr>
                  <th className="num">{t('import.row')}</th>
                  <th>{t('import.column')}</th>
                  <th>{t('import.value')}</th>
                  <th>{t('import.wrong')}</th>
                </tr>
              </thead>
              <tbody>
                {found.errors.slice(0, SHOWN).map(one => (
                  <tr key={`${one.row} ${one.column} ${one.code}`}>
                    <td className="num mono">{one.row}</td>
                    <td>{one.column}</td>
                    <td className="mono">{one.value ?? <span className="soft">{t('import.empty_cell')}</span>}</td>
                    <td>{one.message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <More of={found.errors} />
        </Part>
      )}
      {found.unresolved_locations.length > 0 && (
        <Part title={t('import.places', { n: found.unresolved_locations.length })} says={t('import.places_say')}>
          <ul className="found">
            {places.slice(0, SHOWN).map(one => (
              <li key={one.rows[0]}>
                {one.value !== null && <bdi className="strong">{one.value}</bdi>} {one.message}{' '}
                <span className="mono soft small">{rowsText(one.rows)}</span>
              </li>
            ))}
          </ul>
          <More of={places} />
        </Part>
      )}
      {found.contractors_created.length > 0 && (
        <Part title={t(dry ? 'import.contractors' : 'import.contractors_made', { n: found.contractors_created.length })}>
          <ul className="row">
            {found.contractors_created.map(contractor => (
              <li key={contractor.name}>
                <span className="swatch" style={{ background: contractor.colour }} /> {contractor.name}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {found.duplicates.length > 0 && (
        <Part title={t('import.duplicates', { n: found.duplicates.length })}>
          <ul className="found">
            {found.duplicates.slice(0, SHOWN).map(one => (
              <li key={one.row}>{duplicateText(one)}</li>
            ))}
          </ul>
          <More of={found.duplicates} />
        </Part>
      )}
      {found.kept.length > 0 && (
        <Part title={t('import.kept', { n: found.kept.length })}>
          <ul className="found">
            {found.kept.slice(0, SHOWN).map(one => (
              <li key={one.row}>{t('import.kept_one', { number: one.permit_number, status: tOf('status', one.status), row: one.row })}</li>
            ))}
          </ul>
          <More of={found.kept} />
        </Part>
      )}
    </section>
  )
}

function Part({ title, says, open = false, children }: { title: string; says?: string; open?: boolean; children: ReactNode }) {
  return (
    <details className="part" open={open}>
      <summary className="strong">{title}</summary>
      {says !== undefined && <p className="soft small">{says}</p>}
      {children}
    </details>
  )
}

const More = ({ of }: { of: readonly unknown[] }) =>
  of.length <= SHOWN ? null : <p className="soft small">{t('import.more_rows', { n: of.length - SHOWN })}</p>
