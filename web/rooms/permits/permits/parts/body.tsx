// A permit's content, in the order in which a site manager reads it: what, where and when; hazards; controls; who checked.
import type { ReactNode } from 'react'
import { useFrameOf } from '../../../../base/frame.ts'
import { Go } from '../../../../base/go.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { paths } from '../../../../base/paths.ts'
import { usePeople } from '../../../../base/people.ts'
import { placeText } from '../../../../base/place-name.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf, ownTimeOf, windowOf } from '../../../../base/time.ts'
import { t, tOf } from '../../../../base/words.ts'
import { standingOf } from '../standing.ts'
import type { Permit } from '../steps.ts'
import { untilOf } from './card.tsx'
import { StatusMark } from './status.tsx'
import { TypeChip } from './type-chip.tsx'

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {children}
    </section>
  )
}

type EssentialsGiven = { permit: Permit; now: number }

/** Where, when, who. */
export const Essentials = (given: EssentialsGiven) => (
  <Section title={t('permit.essentials')}>
    <Facts {...given} />
  </Section>
)

/** Where, when and who, as a list without a panel. */
export function Facts({ permit, now }: EssentialsGiven) {
  const { zone, site_id } = useHere()
  const name = usePeople([permit.requestor_id, permit.receiver_id, permit.issuer_id])
  const where = placeText(permit, useFrameOf([permit]))
  const person = (id: string | null) => (id === null ? <span className="soft">{t('common.none')}</span> : (name(id) ?? '…'))
  return (
    <dl className="facts">
      <dt>{t('permit.types')}</dt>
      <dd className="row tight-row">
        {permit.categories.map(code => (
          <TypeChip key={code} code={code} />
        ))}
      </dd>
      <dt>{t('permit.window')}</dt>
      <dd>
        {permit.start_at === null || permit.end_at === null ? (
          <span className="soft">{t('permit.no_window')}</span>
        ) : (
          <span title={ownTimeOf(permit.start_at, zone)}>
            <span className="mono">{windowOf(permit.start_at, permit.end_at, zone)}</span>{' '}
            <span className="soft small">{untilOf(permit.status, permit.start_at, permit.end_at, now)}</span>
          </span>
        )}
      </dd>
      <dt>{t('permit.where')}</dt>
      <dd>{where ?? <span className="soft">{t('permit.no_place')}</span>}</dd>
      <dt>{t('permit.contractor')}</dt>
      <dd>{permit.contractor?.name ?? <span className="soft">{t('permit.no_contractor')}</span>}</dd>
      <dt>{t('permit.requestor')}</dt>
      <dd>{person(permit.requestor_id)}</dd>
      <dt>{t('permit.receiver')}</dt>
      <dd>{person(permit.receiver_id)}</dd>
      <dt>{t('permit.issuer')}</dt>
      <dd>{person(permit.issuer_id)}</dd>
      {permit.parent !== null && (
        <>
          <dt>{t('permit.parent')}</dt>
          <dd>
            <Go to={paths.permit(site_id, permit.parent.id)} className="mono">
              {permit.parent.permit_number ?? t('permit.draft_number')}
            </Go>
          </dd>
        </>
      )}
      {permit.children.length > 0 && (
        <>
          <dt>{t('permit.children')}</dt>
          <dd className="stack tight">
            {permit.children.map(child => (
              <span key={child.id} className="row tight-row">
                <Go to={paths.permit(site_id, child.id)} className="mono">
                  {child.permit_number ?? t('permit.draft_number')}
                </Go>
                <StatusMark standing={standingOf(child, now)} />
              </span>
            ))}
          </dd>
        </>
      )}
    </dl>
  )
}

const Text = ({ label, text }: { label: string; text: string | null }) =>
  text === null || text === '' ? null : (
    <div className="stack tight">
      <h3>{label}</h3>
      <p className="pre">{text}</p>
    </div>
  )

/** The work, its hazards and controls, those that reviewers added marked with a stamp. */
export function Work({ permit }: { permit: Permit }) {
  const added = [permit.stage1_controls, permit.stage2_controls].filter(one => one !== null)
  return (
    <Section title={t('permit.work')}>
      <div className="stack">
        <Text label={t('permit.description')} text={permit.description ?? t('permit.not_said')} />
        {permit.hazards.length > 0 && <Tags label={t('permit.hazards')} tags={permit.hazards} />}
        <Text label={t('permit.controls')} text={permit.controls ?? t('permit.not_said')} />
        {added.map(one => (
          <div key={one.stamp} className="note act">
            <Glyph name="must" />
            <div>
              <p className="pre strong">{one.text}</p>
              <p className="soft small">{one.stamp}</p>
            </div>
          </div>
        ))}
        {permit.ppe.length > 0 && <Tags label={t('permit.ppe')} tags={permit.ppe} />}
        <Text label={t('permit.limitations')} text={permit.limitations} />
        <Text label={t('permit.approval_note')} text={permit.approval_note} />
      </div>
    </Section>
  )
}

const Tags = ({ label, tags }: { label: string; tags: readonly string[] }) => (
  <div className="stack tight">
    <h3>{label}</h3>
    <ul className="row tight-row">
      {tags.map(tag => (
        <li key={tag} className="badge">
          {tag}
        </li>
      ))}
    </ul>
  </div>
)

const ANSWERS = { yes: 'ok', no: 'stop', not_applicable: 'close' } as const

/** Pre-checks with the people who answered; unanswered ones are highlighted. */
export function PreChecks({ permit }: { permit: Permit }) {
  const { zone } = useHere()
  const name = usePeople(permit.pre_checks.map(check => check.answered_by))
  if (permit.pre_checks.length === 0) return null
  const open = permit.pre_checks.filter(check => check.answer === null).length
  return (
    <Section title={open === 0 ? t('permit.pre_checks') : t('permit.pre_checks_open', { n: open })}>
      <ul className="checks">
        {permit.pre_checks.map(check => (
          <li key={check.code} className={check.answer === null ? 'open' : check.answer}>
            <Glyph name={check.answer === null ? 'must' : ANSWERS[check.answer]} />
            <div>
              <p>
                {check.label} {check.required && <span className="soft small">({t('permit.needed')})</span>}
              </p>
              <p className="soft small">
                {check.answer === null
                  ? t('permit.unanswered')
                  : `${tOf('common', check.answer)}${check.answered_by === null ? '' : ` · ${name(check.answered_by) ?? '…'}`}${check.answered_at === null ? '' : ` · ${momentOf(check.answered_at, zone)}`}`}
                {check.carried_forward && <span className="badge warn">{t('permit.carried')}</span>}
              </p>
              {check.comment !== null && <p className="small">{check.comment}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The chain of signatures: what each one attests, and that it follows from the one before. */
export function Chain({ permit }: { permit: Permit }) {
  const { zone } = useHere()
  if (permit.signatures.length === 0) return null
  return (
    <Section title={t('permit.signatures')}>
      <ol className="chain">
        {permit.signatures.map(one => (
          <li key={one.id} className={one.voided_at === null ? '' : 'voided'}>
            <p>
              <span className="strong">{one.signer_name}</span>{' '}
              <span className="soft small">{one.signer_role === null ? '' : tOf('role', one.signer_role)}</span>
            </p>
            <p>
              {tOf('signature', one.kind)} · <span className="mono small">{momentOf(one.signed_at, zone)}</span>
            </p>
            <p className="soft small">{one.statement}</p>
            {one.note !== null && <p className="small pre">{one.note}</p>}
            {one.voided_at !== null && (
              <p className="badge stop">
                {t('permit.voided')} {one.void_reason}
              </p>
            )}
            <p className="mono tiny soft" title={one.hash}>
              {one.hash.slice(0, 16)}
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
