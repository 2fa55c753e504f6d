import { reachOf } from '../../../../../shared/conflicts/reach.ts'
import { explainRule } from '../../../../../shared/conflicts/words.ts'
import type { Refs } from '../../../../../shared/predicates/language.ts'
import { useFrame } from '../../../../base/frame.ts'
import { Note } from '../../../../base/kit/note.tsx'
import { useContractors, usePermitTypes, useSmartGroups } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { PathList } from '../../../messages/rules/door.tsx'
import { contentIn, type Draft, type Note as Found } from '../draft.ts'
import type { OneRule } from '../model.ts'
import { t } from '../says.ts'

/** Returns what the browser knows of the site: permit types, to find codes that it doesn’t have; and names, to explain a condition. */
export function useRefs(site_id: string): { known: Refs; named: Refs } {
  const types = usePermitTypes(site_id)
  const contractors = useContractors(site_id, 'all')
  const frame = useFrame(site_id)
  const { can } = useHere()
  const groups = useSmartGroups(site_id, can('smart_group_edit'))
  const codes: Refs['codes'] = types.data === undefined ? new Map() : new Map([['permit_type', types.data.map(type => type.code)]])
  // A list that hasn't arrived is left out: with an empty one, everything in it would count as deleted.
  const lists: readonly [string, readonly { id: string; name: string }[] | undefined][] = [
    ['contractor', contractors.data],
    ['reference_feature', frame.data],
    ['smart_group', groups.data],
  ]
  const named = lists.flatMap(([kind, rows]) => (rows === undefined ? [] : [[kind, new Map(rows.map(row => [row.id, row.name]))] as const]))
  // Only the service knows which records exist.
  return { known: { ids: new Map(), codes }, named: { ids: new Map(named), codes } }
}

type Given = { rule: OneRule | null; draft: Draft; faults: readonly Found[]; warnings: readonly Found[]; refs: Refs }

/** The rule as it is in the form, in words, with how far it reaches; or why it can’t be saved yet. */
export function InWords({ rule, draft, faults, warnings, refs }: Given) {
  const { zone } = useHere()
  const content = contentIn(rule, draft)
  const sound = faults.length === 0
  return (
    <section className="panel stack" aria-live="polite">
      <h2>{t('clash.in_words')}</h2>
      {sound ? (
        <>
          <p>{explainRule(content, { timezone: zone, refs })}</p>
          <p className="soft small">{reachWords(reachOf(content).reach)}</p>
        </>
      ) : (
        <Note kind="warn" title={t('clash.cant_save')}>
          <PathList notes={faults} />
        </Note>
      )}
      {sound && warnings.length > 0 && (
        <Note kind="warn" title={t('clash.warnings')}>
          <PathList notes={warnings} />
        </Note>
      )}
    </section>
  )
}

function reachWords(reach: { metres: number | null; zone: boolean } | null): string {
  if (reach === null) return ''
  const { metres, zone } = reach
  if (metres === null) return t('clash.reach_zone')
  return t(zone ? 'clash.reach_both' : 'clash.reach', { n: metres })
}
