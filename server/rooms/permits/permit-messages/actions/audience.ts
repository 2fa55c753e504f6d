// What notifications ask about permits: which of many people can see one, and who can take its next gate.
import { isOneOf, textIn } from '../../../../../shared/narrow.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { once } from '../../../../base/memo.ts'
import { BANDS, scopeOf } from '../../../../kernel/access/domain.ts'
import { oversightOn } from '../../../../kernel/access/door.ts'
import type { Member, NextGate, Sight } from '../../../../kernel/notices/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { graphOf } from '../../kit/actions/graphs.ts'
import { nextGate } from '../../kit/domain/gates.ts'
import { CONTRACTOR_ROLES, ONLOOKERS, seesPermit, type Viewer } from '../../kit/domain/visibility.ts'
import { siteFactsFor } from '../../kit/queries/facts.ts'
import { permitRow } from '../../kit/queries/permits.ts'
import { appointmentsOf } from '../queries/audience.ts'
import { addresseesOf } from './tell.ts'

/** Decides which of these people can see a permit (R10), by the same rule as for a single caller, with facts that are fetched once for all. */
export const permitSight: Sight = {
  subject_kind: 'permit',
  async among(ctx: Ctx, site_id: Id, subject_id: Id, people: readonly Member[]) {
    const permit = await permitRow(ctx.db, site_id, subject_id, 'none')
    if (permit === null) return new Set()
    const ids = people.map(person => person.user_id)
    const [{ main_contractor_id: main }, oversight, policy, appointments] = await Promise.all([
      siteOf(ctx, site_id),
      oversightOn(ctx, site_id),
      once(ctx, `permit policy ${site_id}`, () => siteFactsFor(ctx.db, site_id, null, false)),
      once(ctx, `appointments ${site_id} ${ids.join()}`, () => appointmentsOf(ctx.db, site_id, ids)),
    ])
    const scopes = new Map<Id | null, Set<Id | null>>()
    const scopeFor = (person: Member): ReadonlySet<Id | null> => {
      if (!CONTRACTOR_ROLES.includes(person.role)) return new Set()
      const known = scopes.get(person.contractor_id)
      if (known !== undefined) return known
      const own = person.contractor_id ?? main
      const scope = new Set<Id | null>(own === null ? [] : scopeOf(own, oversight.pairs, oversight.transitive).keys())
      // A person without a contractor, or from the main contractor, acts on the main contractor's own permits, which have no contractor.
      if (person.contractor_id === null || (main !== null && scope.has(main))) scope.add(null)
      scopes.set(person.contractor_id, scope)
      return scope
    }
    const viewer = (person: Member): Viewer => {
      const codes = appointments.get(person.user_id)
      return {
        id: person.user_id,
        is_superadmin: false,
        in_band: isOneOf(BANDS.stage1, person.role),
        scope: scopeFor(person),
        sees_issued: ONLOOKERS.includes(person.role),
        is_nominee: policy.nominee_user_id === person.user_id || policy.deputy_nominee_user_id === person.user_id,
        appointed_codes: codes?.all ? null : new Set(codes?.codes ?? []),
      }
    }
    return new Set(people.filter(person => seesPermit(permit, viewer(person))).map(person => person.user_id))
  },
}

/** Returns who can take the gate that is due after the event. */
export const nextGateOf: NextGate = async (ctx, event) => {
  const permit = await permitRow(ctx.db, event.site_id, event.subject_id, 'none')
  if (permit === null) return { roles: [], user_ids: [] }
  const { status, single_stage, awaiting_countersign } = event.payload
  const facts = { status: textIn(status), single_stage: single_stage === true, issue_signed: awaiting_countersign === true } // tellPermit wrote them
  const next = nextGate(await graphOf(ctx, permit), facts)
  if (next === null) return { roles: [], user_ids: [] }
  const { bands, user_ids } = await addresseesOf(ctx, permit, next.gate, next.transition.actor)
  return { roles: [...new Set(bands.flatMap(band => BANDS[band]))], user_ids }
}
