import { ms } from '../../../../../shared/time.ts'
import { jobActor } from '../../../../base/actor.ts'
import { type House, writing } from '../../../../base/ctx.ts'
import { type Id, PLATFORM } from '../../../../base/ids.ts'
import { type ChainReport, chains, genesisOf, verifyChain } from '../../../../kernel/audit/door.ts'
import { checkOf, saveCheck } from '../queries/verify.ts'

const WEEK_MS = 7 * 24 * 3600 * 1000

/**
 * Checks every chain from where the last check ended, and once a week from its first entry (`site-and-people.md` §15). A break is reported once, with the
 * number of the first broken entry. Nothing is repaired, and the run fails so that the people who run the installation see it.
 */
export async function checkChains(house: House): Promise<Record<string, unknown>> {
  const broken: { site_id: Id; seq: number }[] = []
  let entries = 0
  const all = await chains(house.database.db)
  for (const site_id of all) {
    const report = await checkOne(house, site_id)
    entries += report.entries
    if (report.fault !== null) broken.push({ site_id, seq: report.fault.seq })
  }
  if (broken.length > 0) throw new Error(`Broken chains: ${broken.map(b => `${b.site_id} at ${b.seq}`).join(', ')}`)
  return { chains: all.length, entries }
}

async function checkOne(house: House, site_id: Id): Promise<ChainReport> {
  const { db } = house.database
  const now = house.clock.now()
  const last = await checkOf(db, site_id)
  const whole = last === null || last.whole_at === null || last.broken_seq !== null || ms(now) - ms(last.whole_at) >= WEEK_MS
  const from = whole ? null : { seq: last.seq, hash: last.hash }
  const report = await house.database.snapshot(then => verifyChain(then, site_id, from))
  await writing(house, { actor: jobActor('chain_check'), cause: 'audit.check_chains', now }, async ctx => {
    await saveCheck(ctx.db, {
      site_id,
      ...(report.fault === null ? report.checked : { seq: last?.seq ?? 0, hash: last?.hash ?? genesisOf(site_id) }),
      checked_at: now,
      whole_at: whole && report.fault === null ? now : (last?.whole_at ?? null),
      broken_seq: report.fault?.seq ?? null,
    })
    if (report.fault === null || last?.broken_seq === report.fault.seq) return
    ctx.emit({
      kind: 'audit.chain_broken',
      site_id,
      subject: { kind: site_id === PLATFORM ? 'platform' : 'site', id: site_id, label: 'Audit log' },
      payload: { seq: report.fault.seq, what: report.fault.what, detail: report.fault.detail },
    })
  })
  return report
}
