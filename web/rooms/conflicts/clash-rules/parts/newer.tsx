import { Button } from '../../../../base/kit/button.tsx'
import { Note, Wait } from '../../../../base/kit/note.tsx'
import { useDifferences } from '../data.ts'
import type { OneRule } from '../model.ts'
import { t } from '../says.ts'

/** Says that someone saved a version meanwhile, shows what they changed, and goes on with it, with what was typed here. */
export function Newer({ rule, from, onTake }: { rule: OneRule; from: number; onTake(): void }) {
  return (
    <Note kind="warn" title={t('clash.newer', { n: rule.version })}>
      <Differences rule_id={rule.id} from={from} to={rule.version} />
      <p className="small">{t('clash.newer_says')}</p>
      <Button onClick={onTake}>{t('clash.newer_take', { n: rule.version })}</Button>
    </Note>
  )
}

/** What differs between two versions, in words. */
export function Differences({ rule_id, from, to }: { rule_id: string; from: number; to: number }) {
  const found = useDifferences(rule_id, from, to)
  if (found.data === undefined) return <Wait query={found} rows={1} height={40} />
  if (found.data.length === 0) return <p className="small">{t('clash.no_difference')}</p>
  return (
    <ul className="bullets small">
      {found.data.map(one => (
        <li key={one.path}>{one.in_words}</li>
      ))}
    </ul>
  )
}
