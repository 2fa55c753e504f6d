import { useMemo, useRef, useState } from 'react'
import type { RuleContent } from '../../../../../shared/conflicts/rules.ts'
import { ask, client } from '../../../../base/api.ts'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice } from '../../../../base/kit/field.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { PreviewBody, usePreview } from '../../../../base/records/preview.tsx'
import { useHere } from '../../../../base/site.tsx'
import { momentOf, windowOf } from '../../../../base/time.ts'
import { ClashInset } from '../../../map/map/door.tsx'
import { PathList } from '../../../messages/rules/door.tsx'
import { apart, SeverityBadge } from '../../../permits/permits/door.tsx'
import { useClashSummary, workOf } from '../../clashes/door.ts'
import {
  againstOf,
  examplesOf,
  limitsOf,
  lineKeyOf,
  linesOf,
  type Match,
  nothingOf,
  PERIODS,
  type Preview as Previewed,
} from '../previewed.ts'
import { t } from '../says.ts'

const FIRST = 5

type Given = {
  /** The saved rule, with which it is compared; null for a new one. */
  rule: { id: string; enabled: boolean } | null
  /** What the rule would be; null while it has faults, so that there is nothing to try. */
  content: RuleContent | null
  /** Whether anything differs from the saved rule. Otherwise the service is asked only on request. */
  changed: boolean
}

/** What a rule would find if it were saved like this: how many clashes, what differs from the saved rule, and examples in words. Nothing is saved. */
export function Preview({ rule, content, changed }: Given) {
  const { site_id, zone } = useHere()
  const [days, setDays] = useState<number>(PERIODS[0])
  const [asked, setAsked] = useState(false)
  const wanted = content !== null && (changed || asked)
  const preview = usePreview({
    queryKey: ['clash-rules', 'preview', site_id, rule?.id ?? null],
    about: JSON.stringify([content, days]),
    wanted,
    ask: () => ask(client.POST('/clash-rules/dsl/preview', { body: bodyOf(site_id, rule, content, days) })),
  })
  return (
    <section className="panel stack clash-preview" aria-label={t('clash.preview')}>
      <h2>{t('clash.preview')}</h2>
      <Choice
        label={t('clash.preview.period')}
        value={String(days)}
        options={PERIODS.map(n => ({ value: String(n), label: t('clash.preview.days', { n }) }))}
        onChange={event => setDays(Number(event.target.value))}
      />
      <PreviewBody
        preview={preview}
        offline={t('clash.preview.offline')}
        again={t('clash.preview.busy')}
        unready={
          content === null ? (
            <p className="soft">{t('clash.preview.faults')}</p>
          ) : (
            <>
              <p className="soft">{t('clash.preview.unchanged')}</p>
              <Button onClick={() => setAsked(true)}>{t('clash.preview.show')}</Button>
            </>
          )
        }
      >
        {found => content !== null && <Found rule={rule} content={content} preview={found} zone={zone} />}
      </PreviewBody>
    </section>
  )
}

const DAY_MS = 24 * 3_600_000

function bodyOf(site_id: string, rule: Given['rule'], definition: RuleContent | null, days: number) {
  const from = new Date()
  const period = { from: from.toISOString(), to: new Date(from.getTime() + days * DAY_MS).toISOString() }
  return { site_id, definition, ...period, ...(rule === null ? {} : { rule_id: rule.id }) }
}

type FoundGiven = { rule: Given['rule']; content: RuleContent; preview: Previewed; zone: string }

function Found({ rule, content, preview, zone }: FoundGiven) {
  const { site_id } = useHere()
  const unplaced = useClashSummary(site_id)?.unplaced_permits.length ?? 0
  const { valid, problems, matches } = preview
  if (!valid)
    return (
      <Note kind="warn" title={t('clash.cant_save')}>
        <PathList notes={problems} />
      </Note>
    )
  const limits = limitsOf(preview, content, unplaced)
  const none = matches.red + matches.amber === 0
  return (
    <>
      {none ? (
        <p>{limits.length === 0 ? whyNothing(preview, content) : t('clash.preview.nothing_known')}</p>
      ) : (
        <div className="stack tight">
          <p className="strong">
            {[
              ...(matches.red > 0 ? [t('clash.preview.red', { n: matches.red })] : []),
              ...(matches.amber > 0 ? [t('clash.preview.amber', { n: matches.amber })] : []),
            ].join(', ')}
          </p>
          <p className="small">{t('clash.preview.episodes', { n: matches.episodes })}</p>
        </div>
      )}
      <AgainstLine rule={rule} preview={preview} />
      {limits.map(limit => (
        <Note key={limit} kind="warn">
          {t(`clash.preview.${limit}`, { n: unplaced })}
        </Note>
      ))}
      {preview.matches.sample.length > 0 && <Sample preview={preview} zone={zone} />}
    </>
  )
}

/** What differs from the saved rule, in pairs of things. */
function AgainstLine({ rule, preview }: Pick<FoundGiven, 'rule' | 'preview'>) {
  const against = againstOf(rule, preview)
  if (against.kind === 'new') return null
  if (against.kind !== 'differs') return <p className="small">{t(`clash.preview.against_${against.kind}`)}</p>
  const { added, removed, changed } = against
  return (
    <div className="stack tight">
      <h3>{t('clash.preview.against')}</h3>
      <ul className="bullets small">
        {added > 0 && <li>{t('clash.preview.added', { n: added })}</li>}
        {removed > 0 && <li>{t('clash.preview.removed', { n: removed })}</li>}
        {changed > 0 && <li>{t('clash.preview.changed', { n: changed })}</li>}
      </ul>
    </div>
  )
}

/** Says why a rule finds nothing. */
function whyNothing(preview: Previewed, content: RuleContent): string {
  const why = nothingOf(preview, content)
  if (why.kind !== 'none') return t(why.kind === 'one' ? 'clash.preview.nothing_one' : 'clash.preview.nothing')
  const names = why.kinds.map(kind => t(`clash.preview.kinds.${kind}`))
  const [last = '', some] = [names.at(-1), names.slice(0, -1).join(', ')]
  return t('clash.preview.nothing_there', { kinds: some === '' ? last : t('clash.preview.or', { some, last }) })
}

/** The examples: on a small map if a place of them can be seen, and as a list. What is selected in one of them is selected in the other. */
function Sample({ preview, zone }: { preview: Previewed; zone: string }) {
  const { can } = useHere()
  const { lines, without } = useMemo(() => linesOf(preview), [preview])
  const [chosen, setChosen] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const { first, more, beyond } = examplesOf(preview, FIRST)
  const mapped = lines.length > 0 && can('map_view')
  const pick = (key: string | null) => {
    setChosen(key)
    if (key === null) return
    if (!first.some(one => lineKeyOf(one) === key)) setOpen(true)
    // The list has been drawn with the selected row by then.
    requestAnimationFrame(() => list.current?.querySelector('[data-chosen=true]')?.scrollIntoView({ block: 'nearest' }))
  }
  const shared = { zone, chosen, ...(mapped ? { onChoose: setChosen } : {}) }
  return (
    <div className="stack tight" ref={list}>
      <h3>{t('clash.preview.examples')}</h3>
      {mapped && (
        <>
          <ClashInset lines={lines} label={t('clash.preview.map')} chosen={chosen} onChoose={pick} />
          {without > 0 && <p className="soft small">{t('clash.preview.off_map', { n: without })}</p>}
        </>
      )}
      <Examples matches={first} {...shared} />
      {more.length > 0 && (
        <details className="small" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
          <summary>{t('clash.preview.more', { n: more.length })}</summary>
          <Examples matches={more} {...shared} />
        </details>
      )}
      {beyond > 0 && <p className="soft small">{t('clash.preview.beyond', { n: beyond })}</p>}
    </div>
  )
}

type ExamplesGiven = {
  matches: readonly Match[]
  zone: string
  /** The selected line, by its key: that of every match at the same places. */
  chosen: string | null
  /** Selects a line; none if there is no map. */
  onChoose?(key: string | null): void
}

const Examples = ({ matches, zone, chosen, onChoose }: ExamplesGiven) => (
  <ul className="stack tight" aria-label={t('clash.preview.examples')}>
    {matches.map(one => {
      const key = lineKeyOf(one)
      const is_chosen = key !== null && key === chosen
      return (
        <li
          key={`${one.a.id} ${one.b.id} ${one.from_at} ${one.distance_m}`}
          className="stack tight"
          data-chosen={is_chosen ? true : undefined}
        >
          <span className="row tight-row">
            <SeverityBadge severity={one.severity} />
            <SideName side={one.a} />
            <span className="soft" aria-hidden>
              ↔
            </span>
            <SideName side={one.b} />
          </span>
          <span className="soft small">
            {one.to_at === null ? t('clash.preview.open', { from: momentOf(one.from_at, zone) }) : windowOf(one.from_at, one.to_at, zone)} ·{' '}
            {apart(one.distance_m, one.a.id === null || one.b.id === null)}
          </span>
          {onChoose !== undefined && key !== null && (
            <Button look="quiet" aria-pressed={is_chosen} onClick={() => onChoose(is_chosen ? null : key)}>
              {t(is_chosen ? 'clash.preview.selected' : 'clash.preview.select')}
            </Button>
          )}
        </li>
      )
    })}
  </ul>
)

function SideName({ side }: { side: Match['a'] }) {
  const { site_id } = useHere()
  if (side.id === null || side.label === null) return <span>{t('clash.preview.hidden')}</span>
  return <Go to={paths.thing(site_id, side.kind, side.id)}>{[side.label, workOf(side)].filter(part => part !== null).join(' ')}</Go>
}
