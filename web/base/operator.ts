// What only the person who runs the service can do, in the terminal.

/** Returns the command that prints a link where a person chooses a password (server/commands/password-link.ts). */
export const passwordLinkFor = (email: string): string => `npx walkdown password-link ${email}`
