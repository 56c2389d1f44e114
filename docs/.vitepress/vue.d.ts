/** What the compiler knows of a component's file; its logic stands in .ts files beside it. */
declare module '*.vue' {
  import type { Component } from 'vue';
  const component: Component;
  export default component;
}

declare module '*.css';
