// The outbox under kills (messages.md §0.6): a process that dies between any two statements leaves the same notifications, tasks and emails behind as
// one that survives. KILLS_OUTBOX makes it longer.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { relayEvents } from '../../server/kernel/events/door.ts'
import { dispatchDue } from '../../server/kernel/notices/door.ts'
import { readMail } from '../outbox.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { freePort } from '../port.ts'
import { openRelay, type Relay } from '../relay.ts'
import { MONDAY, useHouse } from '../world.ts'
import { spawnWorker } from './spawned.ts'

const KILLS = Number(process.env.KILLS_OUTBOX ?? 5)
const port = await freePort()
const smtp = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'permits@walkdown.test' }

describe('the outbox', () => {
  const house = useHouse(smtp, { pool: 8 })
  let relay: Relay
  before(async () => {
    relay = await openRelay(port)
  })
  after(() => relay.close())

  /** Runs the worker; returns whether it survived to its end. */
  const worker = async (phase: 'relay' | 'send', at: number): Promise<boolean> => {
    const child = await spawnWorker(house, phase, at, smtp)
    let said = ''
    child.stderr.on('data', chunk => (said += chunk))
    const [code, signal] = await new Promise<[number | null, string | null]>(done => child.once('close', (c, s) => done([c, s])))
    assert.ok(code === 0 || signal === 'SIGKILL', said)
    return code === 0
  }
  const forward = (minutes: number) => house.clock(new Date(Date.parse(house.house.clock.now()) + minutes * 60_000).toISOString())

  /** A morning of permits whose events haven't been processed yet. */
  const morning = async (): Promise<PermitWorld> => {
    const w = await permitWorld(house)
    const live = await w.at('issued', { categories: ['GEN'] })
    await w.step(live, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z' })
    await w.at('endorsed', { categories: ['HW'] })
    const other = await w.at('issued', { categories: ['GEN'], title: 'Second' })
    await w.step(other, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T21:00:00.000Z' })
    return w
  }

  /** The results, by person, because the ids differ. */
  const left = async (w: PermitWorld) => {
    const all = (query: string) => house.rows(query, [w.site_id])
    return {
      notifications: await all(
        `select u.name, n.kind, count(*)::int as n from notification n join app_user u on u.id = n.user_id where n.site_id = $1 group by 1, 2 order by 1, 2`,
      ),
      sends:
        await all(`select u.name, n.kind, s.channel, s.state, count(*)::int as n from notification_send s join notification n on n.site_id = s.site_id and n.id = s.notification_id
        join app_user u on u.id = n.user_id where n.site_id = $1 group by 1, 2, 3, 4 order by 1, 2, 3, 4`),
      tasks: await all('select kind, status, count(*)::int as n from task where site_id = $1 group by 1, 2 order by 1, 2'),
      notification_events: await all(`select count(*)::int as n from event where site_id = $1 and kind like 'notification%'`),
      waiting: await all('select count(*)::int as n from event_waiting where site_id = $1'),
    }
  }
  const mailsOf = async (w: PermitWorld) => {
    const people = await house.rows('select u.email, u.name from app_user u join membership m on m.user_id = u.id where m.site_id = $1', [
      w.site_id,
    ])
    const names = new Map(people.map(person => [person.email, person.name]))
    return relay.received
      .filter(mail => names.has(mail.to))
      .map(mail => ({ name: names.get(mail.to), ...readMail(mail.raw), id: /^Message-ID: (.*)$/im.exec(mail.raw)?.[1] }))
  }
  const subjects = (mails: { name: string; subject: string; id: string | undefined }[]) =>
    [...new Map(mails.map(mail => [mail.id, `${mail.name}: ${mail.subject}`])).values()].sort()

  test('messages.md §0.6 the relay is killed between any two steps and restarted: the notifications, tasks and emails are the same as without the kills', async () => {
    const [calm, killed] = [await morning(), await morning()]
    await relayEvents(house.house, calm.site_id)
    forward(1)
    await dispatchDue(house.house)
    house.clock(MONDAY)

    let deaths = 0
    // Each process starts where the last one died, so that they die at different statements each time.
    for (let i = 0; i < KILLS; i++) if (!(await worker('relay', 4 + ((i * 23) % 61)))) deaths++
    while (!(await worker('relay', 0))) assert.fail('it was not expected to die')
    forward(1)
    for (const at of [2, 9]) {
      if (!(await worker('send', at))) deaths++
      forward(3) // until its lease has expired
    }
    for (let i = 0; i < 3; i++) {
      await dispatchDue(house.house)
      forward(3)
    }
    assert.ok(deaths >= Math.ceil(KILLS * 0.7), `only ${deaths} processes died`)

    const [wanted, found] = [await left(calm), await left(killed)]
    assert.ok(wanted.notifications.length > 10 && wanted.sends.some(send => send.state === 'sent'), JSON.stringify(wanted))
    assert.deepEqual(found, wanted)
    const [calmly, roughly] = [await mailsOf(calm), await mailsOf(killed)]
    assert.deepEqual(subjects(roughly), subjects(calmly))
    for (const [, same] of Map.groupBy(roughly, mail => mail.id))
      assert.ok(same.length <= 2, 'an email may be sent twice, but never three times')
    house.clock(MONDAY)
  })
})
