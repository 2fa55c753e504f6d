// The catalogue of what mails say. One language so far; another is another entry of WORDS.
import type { Instant } from '../../../../shared/time.ts'
import { ms } from '../../../../shared/time.ts'
import type { Role } from '../../../base/actor.ts'
import type { Block, Said } from './letter.ts'

/** Facts of each mail. */
export type Facts = {
  invitation: {
    name: string | null
    site: string
    inviter: string
    role: Role
    contractor: string | null
    message: string | null
    /** In site time, in words. */
    until: string
    url: string
  }
  confirm_address: { name: string; url: string; hours: number }
  reset_password: { name: string; url: string; minutes: number }
  password_changed: { name: string; at: string; url: string }
  account_exists: { name: string; site: string; url: string; forgot_url: string }
}

/** One language. */
export type Words = { roles: Record<Role, string> } & { [K in keyof Facts]: (facts: Facts[K]) => Said }

const hello = (name: string | null): Block => ({ say: name === null ? 'Hello,' : `Hello ${name},` })

const en: Words = {
  roles: {
    admin: 'administrator',
    site_manager: 'site manager',
    coordinator: 'coordinator',
    hse: 'health and safety',
    member: 'member',
    viewer: 'viewer',
    client: 'client',
    commercial: 'commercial',
    contractor_hse: 'contractor’s health and safety',
  },
  invitation: f => ({
    subject: `${f.inviter} invites you to ${f.site}`,
    blocks: [
      hello(f.name),
      {
        say: `${f.inviter} invites you to the site ${f.site}, as ${en.roles[f.role]}${f.contractor === null ? '' : ` for ${f.contractor}`}.`,
      },
      ...(f.message === null ? [] : [{ quote: f.message, by: f.inviter }]),
      { press: 'Accept the invitation', url: f.url },
      { say: `The invitation holds until ${f.until}.` },
      { aside: 'It is meant for you alone: do not pass it on. If you did not expect it, ignore this mail; nothing happens then.' },
    ],
  }),
  confirm_address: f => ({
    subject: 'Confirm your address',
    blocks: [
      hello(f.name),
      { say: 'Somebody, you we hope, made a Walkdown account with this address. Confirm it, then you can sign in.' },
      { press: 'Confirm my address', url: f.url },
      { say: `You will be asked for the password that you chose. The link holds for ${f.hours} hours.` },
      { aside: 'If it was not you, ignore this mail: without your confirmation nobody can sign in with your address.' },
    ],
  }),
  reset_password: f => ({
    subject: 'Choose a new password',
    blocks: [
      hello(f.name),
      { say: 'Somebody, you we hope, asked for a new password of your Walkdown account.' },
      { press: 'Choose a new password', url: f.url },
      { say: `The link holds for ${f.minutes} minutes and works once.` },
      { aside: 'If it was not you, ignore this mail: your password stays as it is.' },
    ],
  }),
  password_changed: f => ({
    subject: 'Your password was changed',
    blocks: [
      hello(f.name),
      { say: `The password of your Walkdown account was changed on ${f.at}. Other devices that were signed in are signed out.` },
      { say: 'If it was not you, choose a new password now, and tell who runs your site.' },
      { press: 'It was not me: choose a new password', url: f.url },
    ],
  }),
  account_exists: f => ({
    subject: `You have an account already: sign in to join ${f.site}`,
    blocks: [
      hello(f.name),
      { say: `Somebody, you we hope, tried to make a new account with this address to join the site ${f.site}. You have one already.` },
      { say: 'Sign in with it, then open the invitation once more and accept it. A place on it is kept for you.' },
      { press: 'Sign in', url: f.url },
      { aside: `If you forgot the password, choose a new one: ${f.forgot_url}` },
      { aside: 'If it was not you, ignore this mail; nothing happens then.' },
    ],
  }),
}

const WORDS: Record<string, Words> = { en }

/** Words for a locale: its language, else English. */
export const wordsFor = (locale: string | null): { lang: string; words: Words } => {
  const lang = (locale ?? 'en').split('-')[0]?.toLowerCase() ?? 'en'
  const words = WORDS[lang]
  return words === undefined ? { lang: 'en', words: en } : { lang, words }
}

/** An instant in words, in this zone, which is named. */
export function momentIn(locale: string, timezone: string, at: Instant): string {
  const speaks = Intl.DateTimeFormat.supportedLocalesOf([locale]).length > 0 && locale.toLowerCase().startsWith('en') ? locale : 'en-GB'
  const said = new Intl.DateTimeFormat(speaks, { timeZone: timezone, dateStyle: 'full', timeStyle: 'short' }).format(ms(at))
  return `${said} (${timezone})`
}
