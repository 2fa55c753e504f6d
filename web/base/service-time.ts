// The time of the service, which decides what is on a site now. The clock of a device can be minutes away from it.
let ahead_ms = 0

/** Records the time that the service says it has. */
export function noteServiceTime(server_time: string): void {
  const ahead = Date.parse(server_time) - Date.now()
  if (!Number.isNaN(ahead)) ahead_ms = ahead
}

/** Returns the time of the service for a time of this device, and now without one. */
export const serviceTime = (device_ms = Date.now()): number => device_ms + ahead_ms
/** Returns the time of this device for a time of the service. */
export const deviceTime = (service_ms: number): number => service_ms - ahead_ms
