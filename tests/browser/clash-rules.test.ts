import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { dataShown, fitsPhone, hold, painted } from './hands.ts'
import { useStage } from './kit.ts'
import { picture } from './picture.ts'

type Rule = { id: string; name: string; system_key: string | null; version: number; enabled: boolean }

/** Controls of the page that are reached by the Tab key. */
const TABS = 25
/** Returns what has the focus if a bar covers a part of it. */
const BEHIND = `(() => {
  const one = document.activeElement
  if (one.closest('main') === null) return null
  const { top, bottom } = one.getBoundingClientRect()
  const above = document.querySelector('.top').getBoundingClientRect().bottom
  const below = document.querySelector('.ways').getBoundingClientRect().top
  return top < above || bottom > below ? one.outerHTML.slice(0, 120) + ' ' + [top, bottom, above, below].join(' ') : null
})()`

describe('the app: clash rules and their profiles', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = (part = '') => `${stage.url}/sites/${w.site_id}/settings/clash-rules${part}`
  const profiles = async () => (await w.as('hse').get(`/rule-profiles/?site_id=${w.site_id}`)).body
  const rules = async (profile?: string): Promise<Rule[]> =>
    (await w.as('hse').get(`/clash-rules/?site_id=${w.site_id}${profile === undefined ? '' : `&profile_id=${profile}`}`)).body
  const standard = async (key: string): Promise<Rule> =>
    (await rules()).find(rule => rule.system_key === key) ?? assert.fail('There is such a rule.')
  before(async () => {
    w = await permitWorld(stage.house)
  })

  test('RP-1 RP-2 a profile is created, copied, renamed, activated after its changes have been shown, and deleted', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at())
    await page.getByText(/^Active since Mon 16 Mar/).waitFor()
    await page.getByText('8 rules, 6 on').waitFor()
    await stage.axe(page)
    await picture(page, 'clash-rules-1440')
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Profile name').fill('Shutdown weekend')
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('“Standard” has been copied.').waitFor()
    await page.getByText('Never activated').waitFor()
    await page.getByRole('button', { name: 'Switch on Gangs in one zone' }).click()
    await page.getByText('“Gangs in one zone” is on.').waitFor()
    const minHeight = (of: string) => page.evaluate(`getComputedStyle(document.querySelector('${of}')).minHeight`)
    assert.equal(await minHeight('.clash-rules .lines .strong'), '44px', 'the name of a rule can be hit with a finger')
    await page.getByRole('button', { name: 'Switch off Under the hook' }).click()
    await page.getByText('“Under the hook” is off.').waitFor()
    await page.getByRole('button', { name: 'Edit name' }).click()
    await dialog.getByLabel('Profile name').fill('standard')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('There is already a profile called “Standard”.', { exact: false }).waitFor()
    await dialog.getByLabel('Profile name').fill('Shutdown')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const copy = (await profiles()).find((one: { name: string }) => one.name === 'Shutdown') ?? assert.fail('It has been copied.')
    const gate = (await rules(copy.id)).find(rule => rule.system_key === 'gate_congestion') ?? assert.fail('It has been copied, too.')
    const slows = { site_id: w.site_id, clash_rule_id: gate.id, effect: 'slows' }
    assert.equal((await w.as('hse').put('/clash-consequences/', slows)).status, 201)
    await page.getByRole('button', { name: 'Activate' }).click()
    await dialog.getByText('Standard will no longer be active.', { exact: false }).waitFor()
    const part = (name: string) => dialog.locator('section', { has: page.getByRole('heading', { name }) }).getByRole('listitem')
    await part('These rules start to apply').first().waitFor()
    assert.deepEqual(await part('These rules start to apply').allTextContents(), ['Gangs in one zone'])
    assert.deepEqual(await part('These rules no longer apply').allTextContents(), ['Under the hook'])
    assert.deepEqual(await part('Clashes of these rules mean something else').allTextContents(), ['Deliveries at one gate'])
    await stage.axe(page)
    await picture(page, 'clash-activate-1440')
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('“Shutdown” is active.').waitFor()
    const now = await profiles()
    assert.deepEqual(
      now.map((one: { name: string; is_active: boolean }) => [one.name, one.is_active]),
      [
        ['Shutdown', true],
        ['Standard', false],
      ],
    )
    await page.getByRole('button', { name: 'Delete Shutdown' }).waitFor({ state: 'detached' }) // the active one stays
    await page.getByLabel('Rule profile').last().selectOption({ label: 'Standard' })
    await page.getByText(/^Last activated/).waitFor()
    await page.getByRole('button', { name: 'Activate' }).click()
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('“Standard” is active.').waitFor()
    await page.getByLabel('Rule profile').last().selectOption({ label: 'Shutdown' })
    await hold(page, page.getByRole('button', { name: 'Delete Shutdown' }), page.getByText('“Shutdown” has been deleted with its rules.'))
    assert.equal((await profiles()).length, 1)
  })

  test('RP-3 a profile that lacks standard rules says so; what would change is shown first; a customised rule is replaced only if it is selected', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at())
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'New profile' }).click()
    await dialog.getByLabel('Profile name').fill('Groundworks')
    await dialog.getByRole('radio', { name: 'No rules' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('8 standard rules are missing here, or have a newer revision.').waitFor()
    await page.getByText('This profile has no rules.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Show what would change' }).click()
    await dialog.getByRole('heading', { name: 'Will be added' }).waitFor()
    const { id } = (await profiles()).find((one: { name: string }) => one.name === 'Groundworks')
    assert.equal((await rules(id)).length, 0, 'nothing has changed yet')
    await dialog.getByRole('button', { name: 'Update 8 rules' }).click()
    await page.getByText('8 rules have been updated.').waitFor()
    await page.getByText('8 rules, 6 on').waitFor()
    const gate = (await rules(id)).find(rule => rule.system_key === 'gate_congestion') ?? assert.fail('It has been added.')
    assert.equal((await w.as('hse').patch(`/clash-rules/${gate.id}`, { when: { within_m: 25 } })).status, 200)
    await page.getByRole('button', { name: 'Update standard rules' }).click()
    await dialog.getByLabel('Deliveries at one gate').check()
    await stage.axe(page)
    await dialog.getByRole('button', { name: 'Update 1 rule' }).click()
    await page.getByText('1 rule has been updated.').waitFor()
    await page.getByRole('button', { name: 'Update standard rules' }).click()
    await dialog.getByText('Every standard rule is up to date.').waitFor()
    assert.equal(await dialog.getByRole('button', { name: /^Update/ }).count(), 0, 'there is nothing to update')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Edit name' }).click()
    await dialog.getByLabel('Profile name', { exact: true }).waitFor()
    assert.equal(await dialog.getByText('Profile name (optional)').count(), 0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const after = (await w.as('hse').get(`/clash-rules/${gate.id}`)).body
    assert.deepEqual([after.when, after.is_customised, after.version], [{ within_m: 15 }, false, 3])
    await hold(
      page,
      page.getByRole('button', { name: 'Delete Groundworks' }),
      page.getByText('has been deleted with its rules.', { exact: false }),
    )
  })

  test('§1 a rule is written in lines, explained while it is typed, refused at its fields, saved, changed, compared, restored and deleted', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at())
    await page.getByRole('link', { name: 'New rule' }).click()
    const words = page.getByRole('complementary', { name: 'In words' })
    await words
      .getByText('Amber: a gang and a machine, on the same level, at the same time if they are within 5 m of each other.')
      .waitFor()
    await page.getByLabel('Rule name').fill('under the hook')
    const line = page.getByRole('group', { name: 'Condition 1', exact: true })
    await line.getByLabel('Value').fill('8')
    await words.getByText('within 8 m of each other', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.entry .fault').getByText('already has a rule called “Under the hook”', { exact: false }).waitFor()
    await page.getByLabel('Rule name').fill('Gangs near machines')
    await line.getByRole('button', { name: 'Remove condition 1' }).click()
    await words.getByText('doesn’t limit the distance', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Edit as JSON' }).click()
    const json = page.getByLabel('Condition as JSON')
    await json.fill('{"any": [{"within_m": 5}, {"field": "a.tradee", "op": "eq", "value": "x"}, {"within_m": "far"}]}')
    await page.getByRole('listitem').getByText('when.any[1].field').first().waitFor()
    await page.getByRole('listitem').getByText('when.any[2].within_m').first().waitFor()
    await stage.axe(page)
    await picture(page, 'clash-rule-json-1440')
    await json.fill('{"any": [')
    await page.getByText('isn’t valid JSON.', { exact: false }).first().waitFor()
    await json.fill('{"all": [{"within_m": 6}, {"contractor_relation": "different"}]}')
    await page.getByRole('button', { name: 'Edit as lines' }).click()
    await page.getByRole('group', { name: 'Condition 2', exact: true }).getByLabel('Different contractors').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Version history' }).waitFor()
    const made = (await rules()).find(rule => rule.name === 'Gangs near machines') ?? assert.fail('It has been saved.')
    const read = async () => (await w.as('hse').get(`/clash-rules/${made.id}`)).body
    assert.deepEqual((await read()).when, { all: [{ within_m: 6 }, { contractor_relation: 'different' }] })
    await page.getByRole('radio', { name: 'Red' }).check()
    await page.getByRole('radio', { name: 'Any levels' }).check()
    await page.getByLabel('Time before and after (minutes)').fill('15')
    await page.getByText('3 unsaved changes').waitFor()
    await page.getByLabel('Why it changes').fill('Near miss on Monday')
    await page.reload()
    await page.getByText('3 unsaved changes').waitFor()
    assert.equal((await read()).version, 1, 'kept on the device alone')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Near miss on Monday”').waitFor()
    await page
      .getByText('Levels: on the same level → on any levels; Time before and after: 0 minutes → 15 minutes; Severity: amber → red')
      .waitFor()
    assert.deepEqual([(await read()).version, (await read()).outcome], [2, { severity: 'red' }])
    await page.getByText('Compare versions').click()
    await page.getByLabel('From', { exact: true }).selectOption('2')
    await page.getByLabel('To', { exact: true }).selectOption('1')
    await page.locator('details').getByText('Severity: red → amber').waitFor()
    await stage.axe(page)
    await picture(page, 'clash-rule-1440')
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Levels: on any levels → on the same level').waitFor()
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restores version 1').waitFor()
    assert.deepEqual([(await read()).version, (await read()).levels], [3, { mode: 'same' }])
    await hold(
      page,
      page.getByRole('button', { name: 'Delete Gangs near machines' }),
      page.getByText('has been deleted.', { exact: false }),
    )
    assert.equal((await rules()).length, 8)
  })

  test('§1 a standard rule can’t be deleted but is switched off; §3 its consequence is set, and reset to the default', async () => {
    const { page } = await stage.sit(w.as('admin'))
    const gate = await standard('gate_congestion')
    await page.goto(at(`/${gate.id}`))
    await page.getByText('A standard rule can’t be deleted. Switch it off instead.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Delete/ }).count(), 0)
    await page.getByRole('button', { name: 'Switch off Deliveries at one gate' }).click()
    await page.getByRole('button', { name: 'Switch on Deliveries at one gate' }).click()
    await page.getByRole('button', { name: 'Switch off Deliveries at one gate' }).waitFor()
    const part = page.getByRole('region', { name: 'What a clash means for the work' })
    await part.getByText('Nobody has set this for the rule.', { exact: false }).waitFor()
    await part.getByRole('radio', { name: 'Slows down' }).check()
    assert.equal(await part.getByLabel('Time lost by the affected gang (%)').inputValue(), '50')
    await part.getByLabel('Gives way').selectOption({ label: 'Second side: delivery' })
    await part.getByLabel('Raise a task before the clash').check()
    await part.getByLabel('How long before (hours)').fill('48')
    await part.getByLabel('Instruction shown on the clash', { exact: false }).fill('Call the gate first.')
    await part.getByRole('button', { name: 'Save consequence' }).click()
    await part.getByRole('button', { name: 'Reset to the default' }).waitFor()
    const stored = async () =>
      (await w.as('hse').get(`/clash-consequences/?site_id=${w.site_id}`)).body.find(
        (one: { clash_rule_id: string }) => one.clash_rule_id === gate.id,
      )
    const { effect, affected, task_lead_hours, loss_share_percent, instruction } = await stored()
    assert.deepEqual([effect, affected, task_lead_hours, loss_share_percent, instruction], ['slows', 'b', 48, 50, 'Call the gate first.'])
    await stage.axe(page)
    await part.getByRole('button', { name: 'Reset to the default' }).click()
    await part.getByText('Nobody has set this for the rule.', { exact: false }).waitFor()
    assert.equal((await stored()).is_default, true)
  })

  test('0.2 a person who can’t change rules reads them, and sees why not', async () => {
    const { page } = await stage.sit(w.as('viewer'))
    await page.goto(at())
    await page.getByText('8 rules, 6 on').waitFor()
    const why = await page.locator('.panel .because').textContent()
    assert.match(
      why ?? '',
      /Your role on this site doesn’t include this permission: “Change clash rules, rule profiles and consequences”\. Ask a site manager or an administrator\./,
    )
    const turn = page.getByRole('button', { name: 'Switch off Under the hook' })
    assert.equal(await turn.getAttribute('aria-disabled'), 'true')
    assert.equal(await page.getByRole('button', { name: /^(Activate|Edit name|New profile|Delete)/ }).count(), 0)
    const matrix = await standard('permit_proximity')
    await page.goto(at(`/${matrix.id}`))
    await page.getByRole('grid', { name: 'Pairs of permit types' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Hot work with General permit: off' }).focus()
    const pair = page.getByRole('region', { name: 'Chosen pair' })
    await pair.getByText('Hot work with General permit: off').waitFor()
    assert.equal(await pair.getByRole('button').count(), 0, 'nothing to press')
    await stage.axe(page)
  })

  for (const { width, theme } of [
    { width: 390, theme: 'dark' },
    { width: 320, theme: 'outdoor' },
    { width: 1440, theme: 'outdoor' },
  ])
    test(`9.26 the profiles and a rule fit a screen of ${width} px in the ${theme} theme`, async () => {
      const { page } = await stage.sit(w.as('hse'), { width, theme })
      for (const [name, part] of [
        ['list', ''],
        ['new', '/new'],
        ['rule', `/${(await standard('exclusion_zone_entry')).id}`],
        ['matrix', `/${(await standard('permit_proximity')).id}`],
      ] as const) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(at(part))
        await page.locator('main h1, main h2').first().waitFor()
        await dataShown(page)
        await painted(page)
        await picture(page, `clash-${name}-${theme}-${width}`)
        if (width < 600) await fitsPhone(page)
        await stage.axe(page)
      }
    })

  test('9.9 on a phone, what has the focus on the page of a new rule is never behind the bars above and below the page', async () => {
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    await page.goto(at('/new'))
    await dataShown(page)
    await page.getByLabel('Rule name').focus()
    const steps: string[] = []
    for (let n = 0; n < TABS; n++) {
      await page.keyboard.press('Tab')
      const hidden = await page.evaluate(BEHIND)
      if (typeof hidden === 'string') steps.push(hidden)
    }
    assert.deepEqual(steps, [])
  })
})
