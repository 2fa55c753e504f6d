/** What a token says of a person. Only issuer and subject are a key; OpenID Connect promises no other claim to be unique or stable. */
export type Claims = {
  issuer: string
  subject: string
  name: string | null
  email: string | null
  email_verified: boolean
  locale: string | null
  timezone: string | null
  /** Seconds since 1970; null when the token does not say. */
  issued_at: number | null
}

const textOf = (value: unknown, max = 200): string | null => {
  if (typeof value !== 'string') return null
  const clean = value
    .normalize('NFC')
    .replace(/\p{Cc}/gu, '')
    .trim()
  return clean === '' || !clean.isWellFormed() ? null : clean.slice(0, max)
}

/** The claims of a person; the name falls back as `site-and-people.md` §5 says. `email_verified` is false unless the token says true. */
export function claimsOf(issuer: string, subject: string, claims: Record<string, unknown>): Claims {
  const email = textOf(claims.email, 320)
  const given = textOf([claims.given_name, claims.family_name].filter(part => typeof part === 'string').join(' '))
  const name = textOf(claims.name) ?? given ?? textOf(claims.preferred_username)
  return {
    issuer,
    subject,
    name,
    email: email?.includes('@') ? email : null,
    email_verified: claims.email_verified === true || claims.email_verified === 'true',
    locale: textOf(claims.locale, 35),
    timezone: textOf(claims.zoneinfo, 60),
    issued_at: typeof claims.iat === 'number' ? claims.iat : null,
  }
}

/** The name to show, from claims or what is known already. */
export const shownName = (claims: Pick<Claims, 'name' | 'email'>): string => claims.name ?? claims.email?.split('@')[0] ?? 'Unnamed'

/** Whether configuration makes this person a superadmin: by subject, or by a verified address. Never "whoever comes first". */
export function listedAsSuperadmin(
  claims: Pick<Claims, 'subject' | 'email' | 'email_verified'>,
  settings: { superadmin_subjects: readonly string[]; superadmin_emails: readonly string[] },
): boolean {
  if (settings.superadmin_subjects.includes(claims.subject)) return true
  return claims.email_verified && claims.email !== null && settings.superadmin_emails.includes(claims.email.toLowerCase())
}
