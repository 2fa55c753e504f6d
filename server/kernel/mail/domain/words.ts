// The texts of all emails. There is one language so far; another one is another entry of WORDS.
import type { Instant } from '../../../../shared/time.ts'
import { ms } from '../../../../shared/time.ts'
import type { Role } from '../../../base/actor.ts'
import type { Block, Said } from './letter.ts'

/** The facts that each email needs. */
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
  /** `heads`: a line for each log. */
  audit_heads: { name: string; at: string; heads: string; url: string }
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
        say: `${f.inviter} has invited you to join the site ${f.site}${f.contractor === null ? '' : ` for ${f.contractor}`}. Your role will be “${en.roles[f.role]}”.`,
      },
      ...(f.message === null ? [] : [{ quote: f.message, by: f.inviter }]),
      { press: 'Accept the invitation', url: f.url },
      { say: `The invitation expires on ${f.until}.` },
      { aside: 'The invitation is for you only. If you weren’t expecting it, you can ignore this email.' },
    ],
  }),
  confirm_address: f => ({
    subject: 'Confirm your email address',
    blocks: [
      hello(f.name),
      { say: 'Someone, hopefully you, created a Walkdown account with this email address. Confirm the address to sign in.' },
      { press: 'Confirm my email address', url: f.url },
      { say: `You need the password that you chose. The link is valid for ${f.hours} hours.` },
      { aside: 'If this wasn’t you, ignore this email. No one can sign in with your address unless you confirm it.' },
    ],
  }),
  reset_password: f => ({
    subject: 'Choose a new password',
    blocks: [
      hello(f.name),
      { say: 'Someone, hopefully you, asked to reset the password of your Walkdown account.' },
      { press: 'Choose a new password', url: f.url },
      { say: `The link is valid for ${f.minutes} minutes and works once.` },
      { aside: 'If this wasn’t you, ignore this email. Your password won’t change.' },
    ],
  }),
  password_changed: f => ({
    subject: 'Your password was changed',
    blocks: [
      hello(f.name),
      { say: `The password of your Walkdown account was changed on ${f.at}. Your other devices have been signed out.` },
      { say: 'If this wasn’t you, choose a new password now and contact your site administrator.' },
      { press: 'This wasn’t me: choose a new password', url: f.url },
    ],
  }),
  account_exists: f => ({
    subject: `You already have an account: sign in to join ${f.site}`,
    blocks: [
      hello(f.name),
      {
        say: `Someone, hopefully you, tried to create an account with this email address to join the site ${f.site}. You already have an account.`,
      },
      { say: 'Sign in, then open the invitation again and accept it. Your place on the site is reserved.' },
      { press: 'Sign in', url: f.url },
      { aside: `If you’ve forgotten your password, choose a new one: ${f.forgot_url}` },
      { aside: 'If this wasn’t you, you can ignore this email.' },
    ],
  }),
  audit_heads: f => ({
    subject: 'The heads of your audit logs today',
    blocks: [
      hello(f.name),
      { say: `On ${f.at} the audit logs ended at these entries, with these hashes:` },
      { say: f.heads },
      {
        say: 'Keep this email. It can prove later that nobody has changed the log up to these entries, not even a person with access to the server. To compare, save this email as a file and ask the person who runs the installation to run: walkdown verify --head FILE.',
      },
      { aside: f.url },
    ],
  }),
}

const WORDS: Record<string, Words> = { en }

/** Returns the texts for a locale: those of its language, otherwise English. */
export const wordsFor = (locale: string | null): { lang: string; words: Words } => {
  const lang = (locale ?? 'en').split('-')[0]?.toLowerCase() ?? 'en'
  const words = WORDS[lang]
  return words === undefined ? { lang: 'en', words: en } : { lang, words }
}

/** Writes an instant in words, in this time zone, with the name of the zone. */
export function momentIn(locale: string, timezone: string, at: Instant): string {
  const speaks = Intl.DateTimeFormat.supportedLocalesOf([locale]).length > 0 && locale.toLowerCase().startsWith('en') ? locale : 'en-GB'
  const said = new Intl.DateTimeFormat(speaks, { timeZone: timezone, dateStyle: 'full', timeStyle: 'short' }).format(ms(at))
  return `${said} (${timezone})`
}
