declare module 'yauzl' {
  /** An entry of a zip package, as its central directory describes it. */
  export type Entry = {
    fileName: string
    compressionMethod: number
    generalPurposeBitFlag: number
    crc32: number
    compressedSize: number
    uncompressedSize: number
  }
  export type ZipFile = {
    entryCount: number
    eachEntry(): AsyncIterable<Entry>
    /** Returns where the compressed bytes of an entry start; throws if they are not within the file. */
    readLocalFileHeaderPromise(entry: Entry, options: { minimal: true }): Promise<{ fileDataStart: number }>
  }
  type Options = { lazyEntries?: boolean; validateEntrySizes?: boolean; strictFileNames?: boolean }
  /** Opens a package in memory; throws for anything else. */
  export function fromBufferPromise(buffer: Buffer, options: Options): Promise<ZipFile>
}
