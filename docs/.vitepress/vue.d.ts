/** The type of a .vue file. The component's logic is in .ts files in the same folder. */
declare module '*.vue' {
  import type { Component } from 'vue';
  const component: Component;
  export default component;
}

declare module '*.css';
