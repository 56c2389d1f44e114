/** A file that the build puts into the script as a `data:` URL. */
declare module '*?url&inline' {
  const url: string;
  export default url;
}
