declare module 'qrcode' {
  const QRCode: {
    /** The code of a text as SVG. */
    toString(
      text: string,
      options: { type: 'svg'; errorCorrectionLevel?: 'L' | 'M' | 'Q' | 'H'; margin?: number; color?: { dark?: string; light?: string } },
    ): Promise<string>
  }
  export default QRCode
}
