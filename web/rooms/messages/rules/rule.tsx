import { useParams } from '@tanstack/react-router'
import { paths } from '../../../base/paths.ts'
import { RecordPage } from '../../../base/records/page.tsx'
import { useHere } from '../../../base/site.tsx'
import { useEvents, useRule } from './data.ts'
import { Doings } from './parts/doings.tsx'
import { RuleForm } from './parts/form.tsx'
import { Fired, RuleBadges } from './parts/rule-line.tsx'
import { Versions } from './parts/versions.tsx'
import { t } from './says.ts'
import './rules.css'

/** One rule: its conditions, its recipients, and its versions. */
export default function RulePage() {
  const here = useHere()
  const asked = useParams({ strict: false }).rule ?? 'new'
  const fresh = asked === 'new'
  const query = useRule(fresh ? null : asked)
  const events = useEvents()
  const rule = fresh ? null : (query.data ?? null)
  return (
    <div className="rules-page">
      <RecordPage
        title={fresh ? t('rules.new') : (rule?.name ?? t('rules.title'))}
        marks={rule !== null && <RuleBadges rule={rule} />}
        back={{ to: paths.rules(here.site_id), label: t('rules.to_list') }}
        queries={fresh ? [events] : [query, events]}
      >
        {() => (
          <>
            {rule !== null && (
              <div className="stack tight">
                <p className="says">{rule.explanation}</p>
                <Fired rule={rule} />
                <Doings rule={rule} />
              </div>
            )}
            {/* Another person's save does not change the form while someone is editing: each version has its own form. */}
            <RuleForm key={rule === null ? 'new' : `${rule.id} ${rule.version}`} rule={rule} events={events.data ?? []} />
            {rule !== null && <Versions rule={rule} />}
          </>
        )}
      </RecordPage>
    </div>
  )
}
