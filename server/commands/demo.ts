import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listed } from '../../shared/text.ts'
import type { House } from '../base/ctx.ts'
import { makeDemo } from '../demo/make.ts'
import { emailOf, OWNER, PEOPLE } from '../demo/site.ts'
import { DemoInterrupted, demoState } from '../demo/state.ts'
import { hashPassword } from '../kernel/accounts/door.ts'
import { DEMO_CODE } from '../kernel/site/domain.ts'
import { type Command, CommandError, inHouse } from './command.ts'

/** The outcome for the demo site. `passphrase`: the password of all its people, if they sign in with the built-in provider. */
export type Demo =
  | { outcome: 'made'; permits: number; seconds: number; passphrase: string | null }
  /** `unseen`: its sign-in, if an earlier start made it and was killed before it showed the sign-in. */
  | { outcome: 'there'; unseen: string | null }
  | { outcome: 'interrupted' | 'not empty' }

/** The file with the sign-in of the demo people. */
const noteOf = (house: House) => join(house.data_dir, 'demo-sign-in.txt')
/** This file exists until the sign-in was shown: the demo site is still being made, or nobody has seen who can sign in to it. */
const unseenOf = (house: House) => join(house.data_dir, 'demo-sign-in.unseen')
const read = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null)

/**
 * Creates the demo site if it doesn't exist; with `only_empty`, only in a database that is otherwise empty. `start_over` empties a database that
 * contains only an interrupted demo site, so that it can be made again.
 */
export async function bringDemo(
  house: House,
  how: { only_empty: boolean; say: (line: string) => void; stopped?: () => boolean; start_over?: () => Promise<void> },
): Promise<Demo> {
  const { demo, empty, alone } = await demoState(house)
  if (demo === 'there') return { outcome: demo, unseen: existsSync(unseenOf(house)) ? await read(noteOf(house)) : null }
  if (demo === 'interrupted') {
    // Without the file, the demo site is older than this start, and people may have worked on it since.
    if (how.start_over === undefined || !alone || !existsSync(unseenOf(house))) return { outcome: demo }
    how.say('The demo site is incomplete, because its creation was interrupted. Deleting it and starting again…')
    await how.start_over()
  } else if (how.only_empty && !empty) return { outcome: 'not empty' }
  how.say('Creating the demo site: a construction site on a working day, with about 170 permits…')
  const began = performance.now()
  const passphrase = house.settings.oidc_issuer === null ? newPassphrase() : null
  const note = passphrase === null ? signInElsewhere(house.settings) : signIns(passphrase)
  await writeFile(unseenOf(house), '', { mode: 0o600, flush: true })
  await writeFile(noteOf(house), `${note.join('\n')}\n`, { mode: 0o600, flush: true })
  let told = 0
  const { permits } = await makeDemo(house, {
    password_hash: passphrase === null ? null : await hashPassword(passphrase),
    progress(done, of) {
      const quarter = Math.floor((done / of) * 4)
      if (quarter > told) how.say(`  ${quarter * 25} %`)
      told = quarter
    },
    stopped: how.stopped ?? (() => false),
  })
  return { outcome: 'made', permits, seconds: (performance.now() - began) / 1000, passphrase }
}

/** Notes that the sign-in of the demo people was shown. */
export async function signInWasShown(house: House, demo: Demo): Promise<void> {
  if (demo.outcome === 'made' || demo.outcome === 'there') await rm(unseenOf(house), { force: true })
}

/** Lists the lines that show who to sign in as. */
export function signIns(passphrase: string): string[] {
  const shown = PEOPLE.filter(person => !person.waits).filter(
    (person, i, all) => all.findIndex(p => p.role === person.role && p.does === person.does) === i,
  )
  return [
    `Sign in with the passphrase  ${passphrase}  as`,
    ...[{ ...OWNER, contractor: null }, ...shown].map(({ key, does }) => `  ${emailOf(key).padEnd(24)} ${does}`),
  ]
}

/** Lists the lines that show who can see the demo site if people sign in with an external provider. */
export function signInElsewhere(settings: Pick<House['settings'], 'oidc_issuer' | 'superadmin_emails' | 'superadmin_subjects'>): string[] {
  const { oidc_issuer, superadmin_emails: emails, superadmin_subjects: subjects } = settings
  const named = [...emails, ...subjects]
  return [
    `Everyone signs in at ${oidc_issuer}. The people of the demo site have no accounts there, so no one can sign in as one of them.`,
    named.length > 0
      ? `${named.length === 1 ? 'This superadmin' : 'These superadmins'} can see the demo site: ${listed(named)}.`
      : 'Only superadmins can see the demo site. To become one, sign in once, then run  npx walkdown superadmin grant YOUR_EMAIL',
  ]
}

/** Returns the stored sign-in of the demo people; null if there is none. */
export const keptSignIn = (house: House): Promise<string | null> => read(noteOf(house))

const CONSONANTS = 'bdfghklmnprstvz'
const VOWELS = 'aeiou'

/** Makes a new passphrase of four random words: 75 bits. */
function newPassphrase(): string {
  const letter = (from: string) => from.charAt(randomInt(from.length))
  const word = () => Array.from({ length: 3 }, () => letter(CONSONANTS) + letter(VOWELS)).join('')
  return Array.from({ length: 4 }, word).join('-')
}

/** Explains an interrupted demo site, and what to do. */
export const DEMO_INTERRUPTED =
  'The demo site is incomplete: its creation was interrupted. The site works, but has fewer permits. For the full demo, start with an empty database.'

export const demoCommand: Command = {
  name: 'demo',
  usage: 'demo',
  says: 'Creates the demo site: six contractors, people in every role, permits in every state.',
  details: `The people of the site sign in with one passphrase, which is printed and stored in DATA_DIR/demo-sign-in.txt. If the site (${DEMO_CODE}) already
exists, nothing changes. With OIDC_ISSUER no one can sign in as one of the demo people; superadmins see the site.`,
  async run(args, env) {
    if (args.length > 0) throw new CommandError('walkdown demo takes no options.')
    return inHouse(env, async house => {
      const say = (line: string) => console.log(line)
      const demo = await bringDemo(house, { only_empty: false, say }).catch(brokenOff)
      if (demo.outcome === 'there') {
        say('The demo site already exists.')
        const kept = await keptSignIn(house)
        if (kept !== null) say(kept.trimEnd())
        await signInWasShown(house, demo)
        return 0
      }
      if (demo.outcome !== 'made') throw new CommandError(DEMO_INTERRUPTED, 1)
      say(`The demo site ${DEMO_CODE} was created: ${demo.permits} permits in ${demo.seconds.toFixed(1)} s.`)
      for (const line of demo.passphrase === null ? signInElsewhere(house.settings) : signIns(demo.passphrase)) say(line)
      await signInWasShown(house, demo)
      return 0
    })
  },
}

/** Another process was quicker, or this one was asked to stop. Neither is an error of the demo site. */
export function brokenOff(error: unknown): Demo {
  if (error instanceof DemoInterrupted) return { outcome: 'interrupted' }
  throw error
}
