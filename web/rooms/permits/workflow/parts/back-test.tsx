import { useState } from 'react'
import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { Go } from '../../../../base/go.tsx'
import { useJob } from '../../../../base/job.ts'
import { FlagButton } from '../../../../base/kit/button.tsx'
import { FaultNote, Note } from '../../../../base/kit/note.tsx'
import { Progress } from '../../../../base/kit/progress.tsx'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { type BackTested, backTest, type Definition, type Words } from '../data.ts'
import { actionName } from '../names.ts'
import { t } from '../says.ts'

const SHOWN = 50

/** Tests the edited workflow against past permits. */
export function BackTest({ definition, graph, sound, words }: { definition: Definition; graph: Graph; sound: boolean; words: Words }) {
  const here = useHere()
  const { busy, fault, send } = useSend()
  const [job_id, setJob] = useState<string | null>(null)
  const [tried, setTried] = useState<Graph | null>(null)
  const job = useJob(job_id)
  if (!here.canChange('permit_workflow_author')) return null
  const run = job.data ?? undefined
  const stale = tried !== null && tried !== graph
  return (
    <section className="panel" aria-label={t('workflow.back_test')}>
      <header>
        <h2>{t('workflow.back_test')}</h2>
        <FlagButton
          flag={{ allowed: sound, because: sound ? [] : [{ code: 'unsound', detail: t('workflow.no_publish') }] }}
          disabled={busy || run?.state === 'queued' || run?.state === 'running'}
          onClick={() =>
            void send(async () => {
              setJob(await backTest(here.site_id, definition.id, graph))
              setTried(graph)
            })
          }
        >
          {t(job_id === null ? 'workflow.back_test' : 'workflow.back_test_again')}
        </FlagButton>
      </header>
      <p className="soft small">{t('workflow.back_test_says')}</p>
      {fault !== null && <FaultNote error={fault} />}
      {job.error !== null && <FaultNote error={job.error} onRetry={() => void job.refetch()} />}
      {(run?.state === 'queued' || run?.state === 'running') && (
        <Progress value={run.progress} label={run.message ?? t('workflow.testing')} />
      )}
      {run?.state === 'failed' && <Note kind="stop">{t('workflow.test_failed', { why: run.error?.detail ?? '' })}</Note>}
      {run?.state === 'succeeded' && !stale && <Result found={run.result as BackTested} words={words} />}
    </section>
  )
}

function Result({ found, words }: { found: BackTested; words: Words }) {
  const { site_id } = useHere()
  if (found.checked === 0) return <Note>{t('workflow.tested_none')}</Note>
  if (found.differ === 0) return <Note kind="safe">{t('workflow.tested_same', { n: found.checked })}</Note>
  return (
    <Note kind="warn" title={t('workflow.tested_differ', { n: found.differ, of: found.checked })}>
      <ul className="tested">
        {found.differences.slice(0, SHOWN).map(one => (
          <li key={one.permit_id}>
            <Go to={paths.permit(site_id, one.permit_id)} className="mono">
              {one.permit_number ?? t('permit.untitled')}
            </Go>{' '}
            {t('workflow.tested_at', { step: one.step, action: actionName(words, one.action).toLowerCase() })}: {one.why}
          </li>
        ))}
      </ul>
    </Note>
  )
}
