// The texts of all emails. There is one language so far; another one is another entry of WORDS.
import { localeOf } from '../../../../shared/locale.ts'
import type { Instant } from '../../../../shared/time.ts'
import { ms } from '../../../../shared/time.ts'
import type { Role } from '../../../base/actor.ts'
import type { Block, Said } from './letter.ts'

/** What an email can say about a second factor: what happened to it, or that someone without it knows the password. */
export const FACTOR_NEWS = ['set_up', 'replaced', 'removed', 'removed_for_you', 'new_codes', 'recovery_code', 'wrong_codes'] as const
/** What an email says about a second factor. */
export type FactorNews = (typeof FACTOR_NEWS)[number]

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
  /** `left`: recovery codes that are left. `url`: where the second factor can be changed; `forgot_url`: where a new password can be chosen. */
  second_factor: { name: string; at: string; what: FactorNews; left: number; url: string; forgot_url: string }
  account_exists: { name: string; site: string; url: string; forgot_url: string }
  /** `heads`: a line for each log. */
  audit_heads: { name: string; at: string; heads: string; url: string }
}

/** One language. */
export type Words = { roles: Record<Role, string> } & { [K in keyof Facts]: (facts: Facts[K]) => Said }

const hello = (name: string | null): Block => ({ say: name === null ? 'Hello,' : `Hello ${name},` })

const factorSubjects: Record<FactorNews, string> = {
  set_up: 'Your second factor was set up',
  replaced: 'Your second factor was replaced',
  removed: 'Your second factor was removed',
  removed_for_you: 'Your second factor was removed',
  new_codes: 'You have new recovery codes',
  recovery_code: 'A recovery code was used to sign in',
  wrong_codes: 'Someone knows your password',
}

/** The sentences about a second factor, and what the person can do if it wasn’t them. */
function factorBlocks({ what, at, left, url, forgot_url }: Facts['second_factor']): Block[] {
  const password: Block = { press: 'This wasn’t me: choose a new password', url: forgot_url }
  const warning: Block = { say: 'If this wasn’t you, choose a new password now and contact the people who run the service.' }
  const others = 'Your other devices have been signed out.'
  switch (what) {
    case 'set_up':
      return [
        {
          say: `A second factor was set up for your Walkdown account on ${at}. From now on, you sign in with your password and a code. ${others}`,
        },
        warning,
        password,
      ]
    case 'replaced':
      return [
        {
          say: `The second factor of your Walkdown account was replaced on ${at}. The earlier app and recovery codes no longer work. ${others}`,
        },
        warning,
        password,
      ]
    case 'removed':
      return [{ say: `The second factor of your Walkdown account was removed on ${at}. ${others}` }, warning, password]
    case 'removed_for_you':
      return [
        {
          say: `The people who run the service removed the second factor of your Walkdown account on ${at}. You have been signed out on all devices.`,
        },
        { say: 'Sign in with your password, then set up a new second factor.' },
        { press: 'Set up a second factor', url },
        { aside: `If you didn’t ask for this, choose a new password now and contact the people who run the service: ${forgot_url}` },
      ]
    case 'new_codes':
      return [
        { say: `New recovery codes were made for your Walkdown account on ${at}. The earlier ones no longer work.` },
        warning,
        password,
      ]
    case 'recovery_code':
      return [
        {
          say: `Someone, hopefully you, signed in to your Walkdown account on ${at} with a recovery code. ${left === 0 ? 'You have no recovery codes left.' : left === 1 ? 'You have 1 recovery code left.' : `You have ${left} recovery codes left.`}`,
        },
        { say: 'If your phone is lost, set up the second factor again with your new phone. You can also make new recovery codes there.' },
        { press: 'Change the second factor', url },
        { aside: `If this wasn’t you, choose a new password now and contact the people who run the service: ${forgot_url}` },
      ]
    case 'wrong_codes':
      return [
        { say: `On ${at}, someone entered the password of your Walkdown account, and then wrong codes.` },
        { say: 'If this wasn’t you, they know your password but have no code, so they could not sign in. Choose a new password now.' },
        password,
      ]
  }
}

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
  second_factor: f => ({ subject: factorSubjects[f.what], blocks: [hello(f.name), ...factorBlocks(f)] }),
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
  const known = localeOf(locale)
  const speaks = known?.split('-')[0] === 'en' ? known : 'en-GB'
  const said = new Intl.DateTimeFormat(speaks, { timeZone: timezone, dateStyle: 'full', timeStyle: 'short' }).format(ms(at))
  return `${said} (${timezone})`
}
