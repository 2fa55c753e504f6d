import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../../../../base/api.ts'
import { Go } from '../../../../base/go.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Empty, Skeleton } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { type Here, useHere, useMe } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { type FirstStep, firstSteps, nextOf } from '../first.ts'
import { WaitingDrafts } from './waiting-drafts.tsx'

/** Code of the demo site that an installation creates for training. */
const DEMO_CODE = 'DEMO-1'

const MOST = 500

/**
 * Returns whether there was ever a permit that the person can see, and which of the things that a permit needs the site already has. It is refetched
 * each time the empty board is shown.
 */
const useFirst = ({ site_id, can }: Here) =>
  useQuery({
    queryKey: ['permits', 'first', site_id],
    staleTime: 0,
    queryFn: async () => {
      const query = { site_id, limit: MOST }
      const [past] = await ask(client.GET('/permits', { params: { query: { site_id, limit: 1 } } }))
      const when = async <T,>(permission: string, what: () => Promise<T>): Promise<T | null> => (can(permission) ? what() : null)
      const [types, issuers, people, invited, drawn, registers] = await Promise.all([
        when('permit_settings_manage', async () => {
          const rows = await ask(client.GET('/permits/types', { params: { query: { site_id } } }))
          return rows.filter(type => type.active).length
        }),
        when('permit_settings_manage', async () => {
          const rows = await ask(client.GET('/permits/appointments', { params: { query: { site_id, revoked: false } } }))
          return new Set(rows.filter(row => !row.absent).map(row => row.user_id)).size
        }),
        when('member_invite', async () => {
          const path = { site_id }
          const rows = await ask(client.GET('/sites/{site_id}/members', { params: { path, query: { status: ['active'], limit: MOST } } }))
          return rows.length
        }),
        when('member_invite', async () => {
          const rows = await ask(client.GET('/invites/sites/{site_id}', { params: { path: { site_id }, query: { limit: MOST } } }))
          return rows.filter(row => row.status === 'open').length
        }),
        when('reference_edit', async () => (await ask(client.GET('/reference-features/features', { params: { query } }))).length),
        when('contractor_manage', async () => (await ask(client.GET('/permits/sets', { params: { query } }))).length),
      ])
      return { over: past !== undefined, facts: { types, issuers, people, invited, drawn, registers } }
    },
  })

/** An empty board: what this device has of requests that aren't sent yet, which the board can't show, and a guide. */
export default function FirstUse() {
  const { site_id } = useHere()
  return (
    <>
      <WaitingDrafts site_id={site_id} />
      <Guide />
    </>
  )
}

/** The first steps of a site that this person can take, and which of them are done. */
function Guide() {
  const here = useHere()
  const first = useFirst(here)
  if (first.isPending) return <Skeleton rows={4} />
  // Without a response, the steps are still shown.
  const { over, facts } = first.data ?? {
    over: false,
    facts: { types: null, issuers: null, people: null, invited: null, drawn: null, registers: null },
  }
  if (over)
    return (
      <Empty
        action={
          <Go className="btn" to={paths.board(here.site_id, { over: '1', imported: '1' })}>
            {t('first.show_over')}
          </Go>
        }
      >
        {t('first.over')}
      </Empty>
    )
  const steps = firstSteps(facts, here.canChange, here.groups_off)
  const next = nextOf(steps)
  if (steps.length < 2)
    return (
      <Empty
        action={
          <span className="row">
            {next !== undefined && (
              <Go className="btn primary" to={toOf(next.step, here.site_id)}>
                {t('first.request')}
              </Go>
            )}
            <Demo />
          </span>
        }
      >
        {t(next === undefined ? 'first.nobody' : 'first.member')}
      </Empty>
    )
  return (
    <section className="first-use stack" aria-labelledby="first-use">
      <h2 id="first-use">{t('first.title')}</h2>
      <ol>
        {steps.map((one, i) => (
          <li key={one.step} className={one.done ? 'done' : one === next ? 'next' : undefined}>
            <Go to={toOf(one.step, here.site_id)} aria-current={one === next ? 'step' : undefined}>
              <span className="sign">{one.done ? <Glyph name="ok" /> : i + 1}</span>
              <span className="stack tight grow">
                <span className="strong">{t(`first.${one.step}`)}</span>
                <span className="small says">{saysOf(one, facts.invited ?? 0)}</span>
              </span>
              {one.done ? <span className="badge soft">{t('first.done')}</span> : <Glyph name="next" />}
            </Go>
          </li>
        ))}
      </ol>
      {here.canChange('permit_workflow_author') && (
        <p className="small">
          {t('first.strict')} <Go to={paths.workflow(here.site_id)}>{t('workflow.strict')}</Go>
        </p>
      )}
      <Demo />
    </section>
  )
}

/** The link to the demo site, for its members. */
function Demo() {
  const { site_id } = useHere()
  const { data: me } = useMe()
  const demo = me?.memberships.find(one => one.site_code === DEMO_CODE && one.status === 'active' && one.site_id !== site_id)
  return demo === undefined ? null : (
    <Go className="btn" to={paths.board(demo.site_id)}>
      {t('first.demo')}
    </Go>
  )
}

const toOf = (step: FirstStep['step'], site: string): string =>
  ({
    types: () => paths.settings(site, 'types'),
    issuers: () => paths.settings(site, 'appointments'),
    people: () => paths.members(site),
    ground: () => paths.map(site),
    import: () => paths.import(site),
    request: () => paths.request(site),
  })[step]()

function saysOf({ step, done, n }: FirstStep, invited: number): string {
  if (step === 'request') return t('first.request.todo')
  if (!done) return t(`first.${step}.todo`)
  const said = t(`first.${step}.done`, { n })
  return step === 'people' && invited > 0 ? `${said} ${t('first.invited', { n: invited })}` : said
}
