// The coordinate reference systems that drawings and aerial pictures name, by their EPSG code. An unknown one is never guessed. Pure.

/** A reference system: its name, and its definition for proj4. */
export type System = { name: string; definition: string }

const WGS84 = '+proj=longlat +datum=WGS84 +no_defs'
const WEB_MERCATOR = '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs'
// By seven parameters, which are within 5 m across Great Britain; the grid of Ordnance Survey (OSTN15) isn't part of the service.
const BRITISH =
  '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489 +units=m +no_defs'

/** Returns a reference system by its EPSG code: WGS84, Web Mercator, UTM (WGS84 or ETRS89) or the British National Grid; null for any other. */
export function systemOf(epsg: number): System | null {
  if (epsg === 4326 || epsg === 4258) return { name: `EPSG:${epsg}`, definition: WGS84 }
  if (epsg === 3857) return { name: 'EPSG:3857', definition: WEB_MERCATOR }
  if (epsg === 27700) return { name: 'EPSG:27700', definition: BRITISH }
  const zone = epsg % 100
  const block = epsg - zone
  if (zone >= 1 && zone <= 60 && (block === 32600 || block === 32700))
    return {
      name: `EPSG:${epsg}`,
      definition: `+proj=utm +zone=${zone}${block === 32700 ? ' +south' : ''} +datum=WGS84 +units=m +no_defs`,
    }
  if (block === 25800 && zone >= 28 && zone <= 38)
    return { name: `EPSG:${epsg}`, definition: `+proj=utm +zone=${zone} +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs` }
  return null
}
