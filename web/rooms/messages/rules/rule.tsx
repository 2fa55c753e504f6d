import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Go } from '../../../base/go.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { FaultNote, Skeleton } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { useEvents, useRule } from './data.ts'
import { Doings } from './parts/doings.tsx'
import { RuleForm } from './parts/form.tsx'
import { Fired, RuleBadges } from './parts/rule-line.tsx'
import { Versions } from './parts/versions.tsx'
import './rules.css'

/** One rule: its conditions, its recipients, and its versions. */
export default function RulePage() {
  const here = useHere()
  const asked = useParams({ strict: false }).rule ?? 'new'
  const fresh = asked === 'new'
  const rule = useRule(fresh ? null : asked)
  const events = useEvents()
  const name = fresh ? t('rules.new') : (rule.data?.name ?? t('rules.title'))
  useEffect(() => {
    document.title = `${name} · ${here.name}`
  }, [name, here.name])
  const error = (fresh ? null : rule.error) ?? events.error
  const there = events.data !== undefined && (fresh || rule.data !== undefined)
  return (
    <div className="stack rules-page">
      <header className="row">
        <Go className="btn quiet square" aria-label={t('rules.to_list')} to={paths.rules(here.site_id)}>
          <Glyph name="back" />
        </Go>
        <h1>{name}</h1>
        {rule.data !== undefined && !fresh && <RuleBadges rule={rule.data} />}
      </header>
      {error !== null && !there && (
        <FaultNote
          error={error}
          onRetry={() => {
            if (!fresh) void rule.refetch()
            void events.refetch()
          }}
        />
      )}
      {!there && error === null && <Skeleton rows={4} />}
      {!fresh && rule.data !== undefined && (
        <div className="stack tight">
          <p className="says">{rule.data.explanation}</p>
          <Fired rule={rule.data} />
          <Doings rule={rule.data} />
        </div>
      )}
      {there && (
        <RuleForm
          // Another person's save does not change the form while someone is editing: each version has its own form.
          key={fresh ? 'new' : `${rule.data?.id} ${rule.data?.version}`}
          rule={fresh ? null : (rule.data ?? null)}
          events={events.data}
        />
      )}
      {!fresh && rule.data !== undefined && <Versions rule={rule.data} />}
    </div>
  )
}
