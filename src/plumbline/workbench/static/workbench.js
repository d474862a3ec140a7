var Ht, W, ks, xe, hl, xs, $s, rn, Tt, Ze, Ss, Fn, yn, wn, Cs, Lt = {}, Dt = [], ko = /acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i, zt = Array.isArray;
function be(e, t) {
  for (var n in t) e[n] = t[n];
  return e;
}
function jn(e) {
  e && e.parentNode && e.parentNode.removeChild(e);
}
function xo(e, t, n) {
  var l, r, o, i = {};
  for (o in t) o == "key" ? l = t[o] : o == "ref" ? r = t[o] : i[o] = t[o];
  if (arguments.length > 2 && (i.children = arguments.length > 3 ? Ht.call(arguments, 2) : n), typeof e == "function" && e.defaultProps != null) for (o in e.defaultProps) i[o] === void 0 && (i[o] = e.defaultProps[o]);
  return Mt(e, i, l, r, null);
}
function Mt(e, t, n, l, r) {
  var o = { type: e, props: t, key: n, ref: l, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: void 0, __v: r ?? ++ks, __i: -1, __u: 0 };
  return r == null && W.vnode != null && W.vnode(o), o;
}
function _(e) {
  return e.children;
}
function et(e, t) {
  this.props = e, this.context = t;
}
function Re(e, t) {
  if (t == null) return e.__ ? Re(e.__, e.__i + 1) : null;
  for (var n; t < e.__k.length; t++) if ((n = e.__k[t]) != null && n.__e != null) return n.__e;
  return typeof e.type == "function" ? Re(e) : null;
}
function $o(e) {
  if (e.__P && e.__d) {
    var t = e.__v, n = t.__e, l = [], r = [], o = be({}, t);
    o.__v = t.__v + 1, W.vnode && W.vnode(o), qn(e.__P, o, t, e.__n, e.__P.namespaceURI, 32 & t.__u ? [n] : null, l, n ?? Re(t), !!(32 & t.__u), r), o.__v = t.__v, o.__.__k[o.__i] = o, Os(l, o, r), t.__e = t.__ = null, o.__e != n && Ts(o);
  }
}
function Ts(e) {
  if ((e = e.__) != null && e.__c != null) return e.__e = e.__c.base = null, e.__k.some(function(t) {
    if (t != null && t.__e != null) return e.__e = e.__c.base = t.__e;
  }), Ts(e);
}
function _n(e) {
  (!e.__d && (e.__d = !0) && xe.push(e) && !Ft.__r++ || hl != W.debounceRendering) && ((hl = W.debounceRendering) || xs)(Ft);
}
function Ft() {
  try {
    for (var e, t = 1; xe.length; ) xe.length > t && xe.sort($s), e = xe.shift(), t = xe.length, $o(e);
  } finally {
    xe.length = Ft.__r = 0;
  }
}
function Ms(e, t, n, l, r, o, i, a, c, u, d) {
  var f, h, m, p, g, b, y = l && l.__k || Dt, v = t.length;
  for (c = So(n, t, y, c, v), f = 0; f < v; f++) (m = n.__k[f]) != null && (h = m.__i != -1 && y[m.__i] || Lt, m.__i = f, b = qn(e, m, h, r, o, i, a, c, u, d), p = m.__e, m.ref && h.ref != m.ref && (h.ref && Wn(h.ref, null, m), d.push(m.ref, m.__c || p, m)), g == null && p != null && (g = p), 4 & m.__u ? (c = As(m, c, e), h.__e && (h.__e = null)) : typeof m.type == "function" && b !== void 0 ? c = b : p && (c = p.nextSibling), m.__u &= -7);
  return n.__e = g, c;
}
function So(e, t, n, l, r) {
  var o, i, a, c, u, d = n.length, f = d, h = 0;
  for (e.__k = new Array(r), o = 0; o < r; o++) (i = t[o]) != null && typeof i != "boolean" && typeof i != "function" ? (typeof i == "string" || typeof i == "number" || typeof i == "bigint" || i.constructor == String ? i = e.__k[o] = Mt(null, i, null, null, null) : zt(i) ? i = e.__k[o] = Mt(_, { children: i }, null, null, null) : i.constructor === void 0 && i.__b > 0 ? i = e.__k[o] = Mt(i.type, i.props, i.key, i.ref ? i.ref : null, i.__v) : e.__k[o] = i, c = o + h, i.__ = e, i.__b = e.__b + 1, a = null, (u = i.__i = Co(i, n, c, f)) != -1 && (f--, (a = n[u]) && (a.__u |= 2)), a == null || a.__v == null ? (u == -1 && (r > d ? h-- : r < d && h++), typeof i.type != "function" && (i.__u |= 4)) : u != c && (u == c - 1 ? h-- : u == c + 1 ? h++ : (u > c ? h-- : h++, i.__u |= 4))) : e.__k[o] = null;
  if (f) for (o = 0; o < d; o++) (a = n[o]) != null && (2 & a.__u) == 0 && (a.__e == l && (l = Re(a)), Ps(a, a));
  return l;
}
function As(e, t, n) {
  var l, r;
  if (typeof e.type == "function") {
    for (l = e.__k, r = 0; l && r < l.length; r++) l[r] && (l[r].__ = e, t = As(l[r], t, n));
    return t;
  }
  e.__e != t && (t && e.type && !t.parentNode && (t = Re(e)), t = n.insertBefore(e.__e, t || null));
  do
    t = t && t.nextSibling;
  while (t != null && t.nodeType == 8);
  return t;
}
function Co(e, t, n, l) {
  var r, o, i, a = e.key, c = e.type, u = t[n], d = u != null && (2 & u.__u) == 0;
  if (u === null && a == null || d && a == u.key && c == u.type) return n;
  if (l > (d ? 1 : 0)) {
    for (r = n - 1, o = n + 1; r >= 0 || o < t.length; ) if ((u = t[i = r >= 0 ? r-- : o++]) != null && (2 & u.__u) == 0 && a == u.key && c == u.type) return i;
  }
  return -1;
}
function fl(e, t, n) {
  t[0] == "-" ? e.setProperty(t, n ?? "") : e[t] = n == null ? "" : typeof n != "number" || ko.test(t) ? n : n + "px";
}
function yt(e, t, n, l, r) {
  var o, i;
  e: if (t == "style") if (typeof n == "string") e.style.cssText = n;
  else {
    if (typeof l == "string" && (e.style.cssText = l = ""), l) for (t in l) n && t in n || fl(e.style, t, "");
    if (n) for (t in n) l && n[t] == l[t] || fl(e.style, t, n[t]);
  }
  else if (t[0] == "o" && t[1] == "n") o = t != (t = t.replace(Ss, "$1")), i = t.toLowerCase(), t = i in e || t == "onFocusOut" || t == "onFocusIn" ? i.slice(2) : t.slice(2), e.l || (e.l = {}), e.l[t + o] = n, n ? l ? n[Ze] = l[Ze] : (n[Ze] = Fn, e.addEventListener(t, o ? wn : yn, o)) : e.removeEventListener(t, o ? wn : yn, o);
  else {
    if (r == "http://www.w3.org/2000/svg") t = t.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if (t != "width" && t != "height" && t != "href" && t != "list" && t != "form" && t != "tabIndex" && t != "download" && t != "rowSpan" && t != "colSpan" && t != "role" && t != "popover" && t in e) try {
      e[t] = n ?? "";
      break e;
    } catch {
    }
    typeof n == "function" || (n == null || n === !1 && t[4] != "-" ? e.removeAttribute(t) : e.setAttribute(t, t == "popover" && n == 1 ? "" : n));
  }
}
function ml(e) {
  return function(t) {
    if (this.l) {
      var n = this.l[t.type + e];
      if (t[Tt] == null) t[Tt] = Fn++;
      else if (t[Tt] < n[Ze]) return;
      return n(W.event ? W.event(t) : t);
    }
  };
}
function qn(e, t, n, l, r, o, i, a, c, u) {
  var d, f, h, m, p, g, b, y, v, x, C, $, S, j, q, Q, V = t.type;
  if (t.constructor !== void 0) return null;
  128 & n.__u && (c = !!(32 & n.__u), o = [a = t.__e = n.__e]), (d = W.__b) && d(t);
  e: if (typeof V == "function") {
    f = i.length;
    try {
      if (v = t.props, x = V.prototype && V.prototype.render, C = (d = V.contextType) && l[d.__c], $ = d ? C ? C.props.value : d.__ : l, n.__c ? y = (h = t.__c = n.__c).__ = h.__E : (x ? t.__c = h = new V(v, $) : (t.__c = h = new et(v, $), h.constructor = V, h.render = Mo), C && C.sub(h), h.state || (h.state = {}), h.__n = l, m = h.__d = !0, h.__h = [], h._sb = []), x && h.__s == null && (h.__s = h.state), x && V.getDerivedStateFromProps != null && (h.__s == h.state && (h.__s = be({}, h.__s)), be(h.__s, V.getDerivedStateFromProps(v, h.__s))), p = h.props, g = h.state, h.__v = t, m) x && V.getDerivedStateFromProps == null && h.componentWillMount != null && h.componentWillMount(), x && h.componentDidMount != null && h.__h.push(h.componentDidMount);
      else {
        if (x && V.getDerivedStateFromProps == null && v !== p && h.componentWillReceiveProps != null && h.componentWillReceiveProps(v, $), t.__v == n.__v || !h.__e && h.shouldComponentUpdate != null && h.shouldComponentUpdate(v, h.__s, $) === !1) {
          t.__v != n.__v && (h.props = v, h.state = h.__s, h.__d = !1), t.__e = n.__e, t.__k = n.__k, t.__k.some(function(ee) {
            ee && (ee.__ = t);
          }), Dt.push.apply(h.__h, h._sb), h._sb = [], h.__h.length && i.push(h), a = Re(n);
          break e;
        }
        h.componentWillUpdate != null && h.componentWillUpdate(v, h.__s, $), x && h.componentDidUpdate != null && h.__h.push(function() {
          h.componentDidUpdate(p, g, b);
        });
      }
      if (h.context = $, h.props = v, h.__P = e, h.__e = !1, S = W.__r, j = 0, x) h.state = h.__s, h.__d = !1, S && S(t), d = h.render(h.props, h.state, h.context), Dt.push.apply(h.__h, h._sb), h._sb = [];
      else do
        h.__d = !1, S && S(t), d = h.render(h.props, h.state, h.context), h.state = h.__s;
      while (h.__d && ++j < 25);
      h.state = h.__s, h.getChildContext != null && (l = be(be({}, l), h.getChildContext())), x && !m && h.getSnapshotBeforeUpdate != null && (b = h.getSnapshotBeforeUpdate(p, g)), q = d != null && d.type === _ && d.key == null ? Es(d.props.children) : d, a = Ms(e, zt(q) ? q : [q], t, n, l, r, o, i, a, c, u), h.base = t.__e, t.__u &= -161, h.__h.length && i.push(h), y && (h.__E = h.__ = null);
    } catch (ee) {
      if (i.length = f, t.__v = null, c || o != null) {
        if (ee.then) {
          for (t.__u |= c ? 160 : 128; a && a.nodeType == 8 && a.nextSibling; ) a = a.nextSibling;
          o != null && (o[o.indexOf(a)] = null), t.__e = a;
        } else if (o != null) for (Q = o.length; Q--; ) jn(o[Q]);
      } else t.__e = n.__e;
      t.__k == null && (t.__k = n.__k || []), ee.then || Ns(t), W.__e(ee, t, n);
    }
  } else o == null && t.__v == n.__v ? (t.__k = n.__k, t.__e = n.__e) : a = t.__e = To(n.__e, t, n, l, r, o, i, c, u);
  return (d = W.diffed) && d(t), 128 & t.__u ? void 0 : a;
}
function Ns(e) {
  e && (e.__c && (e.__c.__e = !0), e.__k && e.__k.some(Ns));
}
function Os(e, t, n) {
  for (var l = 0; l < n.length; l++) Wn(n[l], n[++l], n[++l]);
  W.__c && W.__c(t, e), e.some(function(r) {
    try {
      e = r.__h, r.__h = [], e.some(function(o) {
        o.call(r);
      });
    } catch (o) {
      W.__e(o, r.__v);
    }
  });
}
function Es(e) {
  return typeof e != "object" || e == null || e.__b > 0 ? e : zt(e) ? e.map(Es) : e.constructor !== void 0 ? null : be({}, e);
}
function To(e, t, n, l, r, o, i, a, c) {
  var u, d, f, h, m, p, g, b = n.props || Lt, y = t.props, v = t.type;
  if (v == "svg" ? r = "http://www.w3.org/2000/svg" : v == "math" ? r = "http://www.w3.org/1998/Math/MathML" : r || (r = "http://www.w3.org/1999/xhtml"), o != null) {
    for (u = 0; u < o.length; u++) if ((m = o[u]) && "setAttribute" in m == !!v && (v ? m.localName == v : m.nodeType == 3)) {
      e = m, o[u] = null;
      break;
    }
  }
  if (e == null) {
    if (v == null) return document.createTextNode(y);
    e = document.createElementNS(r, v, y.is && y), a && (W.__m && W.__m(t, o), a = !1), o = null;
  }
  if (v == null) b === y || a && e.data == y || (e.data = y);
  else {
    if (o = v == "textarea" && y.defaultValue != null ? null : o && Ht.call(e.childNodes), !a && o != null) for (b = {}, u = 0; u < e.attributes.length; u++) b[(m = e.attributes[u]).name] = m.value;
    for (u in b) m = b[u], u == "dangerouslySetInnerHTML" ? f = m : u == "children" || u in y || u == "value" && "defaultValue" in y || u == "checked" && "defaultChecked" in y || yt(e, u, null, m, r);
    for (u in y) m = y[u], u == "children" ? h = m : u == "dangerouslySetInnerHTML" ? d = m : u == "value" ? p = m : u == "checked" ? g = m : a && typeof m != "function" || b[u] === m || yt(e, u, m, b[u], r);
    if (d) a || f && (d.__html == f.__html || d.__html == e.innerHTML) || (e.innerHTML = d.__html), t.__k = [];
    else if (f && (e.innerHTML = ""), Ms(t.type == "template" ? e.content : e, zt(h) ? h : [h], t, n, l, v == "foreignObject" ? "http://www.w3.org/1999/xhtml" : r, o, i, o ? o[0] : n.__k && Re(n, 0), a, c), o != null) for (u = o.length; u--; ) jn(o[u]);
    a && v != "textarea" || (u = "value", v == "progress" && p == null ? e.removeAttribute("value") : p != null && (p !== e[u] || v == "progress" && !p || v == "option" && p != b[u]) && yt(e, u, p, b[u], r), u = "checked", g != null && g != e[u] && yt(e, u, g, b[u], r));
  }
  return e;
}
function Wn(e, t, n) {
  try {
    if (typeof e == "function") {
      var l = typeof e.__u == "function";
      l && e.__u(), l && t == null || (e.__u = e(t));
    } else e.current = t;
  } catch (r) {
    W.__e(r, n);
  }
}
function Ps(e, t, n) {
  var l, r;
  if (W.unmount && W.unmount(e), (l = e.ref) && (l.current && l.current != e.__e || Wn(l, null, t)), (l = e.__c) != null) {
    if (l.componentWillUnmount) try {
      l.componentWillUnmount();
    } catch (o) {
      W.__e(o, t);
    }
    l.base = l.__P = l.__n = null;
  }
  if (l = e.__k) for (r = 0; r < l.length; r++) l[r] && Ps(l[r], t, n || typeof e.type != "function");
  n || jn(e.__e), e.__c = e.__ = e.__e = void 0;
}
function Mo(e, t, n) {
  return this.constructor(e, n);
}
function pl(e, t, n) {
  var l, r, o, i;
  t == document && (t = document.documentElement), W.__ && W.__(e, t), r = (l = !1) ? null : t.__k, o = [], i = [], qn(t, e = t.__k = xo(_, null, [e]), r || Lt, Lt, t.namespaceURI, r ? null : t.firstChild ? Ht.call(t.childNodes) : null, o, r ? r.__e : t.firstChild, l, i), Os(o, e, i), e.props.children = null;
}
function Vt(e) {
  function t(n) {
    var l, r;
    return this.getChildContext || (l = /* @__PURE__ */ new Set(), (r = {})[t.__c] = this, this.getChildContext = function() {
      return r;
    }, this.componentWillUnmount = function() {
      l = null;
    }, this.shouldComponentUpdate = function(o) {
      this.props.value != o.value && l.forEach(function(i) {
        i.__e = !0, _n(i);
      });
    }, this.sub = function(o) {
      l.add(o);
      var i = o.componentWillUnmount;
      o.componentWillUnmount = function() {
        l && l.delete(o), i && i.call(o);
      };
    }), n.children;
  }
  return t.__c = "__cC" + Cs++, t.__ = e, t.Provider = t.__l = (t.Consumer = function(n, l) {
    return n.children(l);
  }).contextType = t, t;
}
Ht = Dt.slice, W = { __e: function(e, t, n, l) {
  for (var r, o, i; t = t.__; ) if ((r = t.__c) && !r.__) try {
    if ((o = r.constructor) && o.getDerivedStateFromError != null && (r.setState(o.getDerivedStateFromError(e)), i = r.__d), r.componentDidCatch != null && (r.componentDidCatch(e, l || {}), i = r.__d), i) return r.__E = r;
  } catch (a) {
    e = a;
  }
  throw e;
} }, ks = 0, et.prototype.setState = function(e, t) {
  var n;
  n = this.__s != null && this.__s != this.state ? this.__s : this.__s = be({}, this.state), typeof e == "function" && (e = e(be({}, n), this.props)), e && be(n, e), e != null && this.__v && (t && this._sb.push(t), _n(this));
}, et.prototype.forceUpdate = function(e) {
  this.__v && (this.__e = !0, e && this.__h.push(e), _n(this));
}, et.prototype.render = _, xe = [], xs = typeof Promise == "function" ? Promise.prototype.then.bind(Promise.resolve()) : setTimeout, $s = function(e, t) {
  return e.__v.__b - t.__v.__b;
}, Ft.__r = 0, rn = Math.random().toString(8), Tt = "__d" + rn, Ze = "__a" + rn, Ss = /(PointerCapture)$|Capture$/i, Fn = 0, yn = ml(!1), wn = ml(!0), Cs = 0;
var Ao = 0;
function s(e, t, n, l, r, o) {
  t || (t = {});
  var i, a, c = t;
  if ("ref" in c) for (a in c = {}, t) a == "ref" ? i = t[a] : c[a] = t[a];
  var u = { type: e, props: c, key: n, ref: i, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: void 0, __v: --Ao, __i: -1, __u: 0, __source: r, __self: o };
  if (typeof e == "function" && (i = e.defaultProps)) for (a in i) c[a] === void 0 && (c[a] = i[a]);
  return W.vnode && W.vnode(u), u;
}
var Me, U, on, gl, ct = 0, Rs = [], z = W, bl = z.__b, vl = z.__r, yl = z.diffed, wl = z.__c, _l = z.unmount, kl = z.__;
function Ve(e, t) {
  z.__h && z.__h(U, e, ct || t), ct = 0;
  var n = U.__H || (U.__H = { __: [], __h: [] });
  return e >= n.__.length && n.__.push({}), n.__[e];
}
function w(e) {
  return ct = 1, Is(Ls, e);
}
function Is(e, t, n) {
  var l = Ve(Me++, 2);
  if (l.t = e, !l.__c && (l.__ = [Ls(void 0, t), function(a) {
    var c = l.__N ? l.__N[0] : l.__[0], u = l.t(c, a);
    c !== u && (l.__N = [u, l.__[1]], l.__c.setState({}));
  }], l.__c = U, !U.__f)) {
    var r = function(a, c, u) {
      if (!l.__c.__H) return !0;
      var d = !1, f = l.__c.props !== a;
      if (l.__c.__H.__.some(function(m) {
        if (m.__N) {
          d = !0;
          var p = m.__[0];
          m.__ = m.__N, m.__N = void 0, p !== m.__[0] && (f = !0);
        }
      }), o) {
        var h = o.call(this, a, c, u);
        return d ? h || f : h;
      }
      return !d || f;
    };
    U.__f = !0;
    var o = U.shouldComponentUpdate, i = U.componentWillUpdate;
    U.componentWillUpdate = function(a, c, u) {
      if (this.__e) {
        var d = o;
        o = void 0, r(a, c, u), o = d;
      }
      i && i.call(this, a, c, u);
    }, U.shouldComponentUpdate = r;
  }
  return l.__N || l.__;
}
function L(e, t) {
  var n = Ve(Me++, 3);
  !z.__s && Bn(n.__H, t) && (n.__ = e, n.u = t, U.__H.__h.push(n));
}
function ye(e, t) {
  var n = Ve(Me++, 4);
  !z.__s && Bn(n.__H, t) && (n.__ = e, n.u = t, U.__h.push(n));
}
function N(e) {
  return ct = 5, Z(function() {
    return { current: e };
  }, []);
}
function Z(e, t) {
  var n = Ve(Me++, 7);
  return Bn(n.__H, t) && (n.__ = e(), n.__H = t, n.__h = e), n.__;
}
function xl(e, t) {
  return ct = 8, Z(function() {
    return e;
  }, t);
}
function Gt(e) {
  var t = U.context[e.__c], n = Ve(Me++, 9);
  return n.c = e, t ? (n.__ == null && (n.__ = !0, t.sub(U)), t.props.value) : e.__;
}
function K() {
  var e = Ve(Me++, 11);
  if (!e.__) {
    for (var t = U.__v; t !== null && !t.__m && t.__ !== null; ) t = t.__;
    var n = t.__m || (t.__m = [0, 0]);
    e.__ = "P" + n[0] + "-" + n[1]++;
  }
  return e.__;
}
function No() {
  for (var e; e = Rs.shift(); ) {
    var t = e.__H;
    if (e.__P && t) try {
      t.__h.some(At), t.__h.some(kn), t.__h = [];
    } catch (n) {
      t.__h = [], z.__e(n, e.__v);
    }
  }
}
z.__b = function(e) {
  U = null, bl && bl(e);
}, z.__ = function(e, t) {
  e && t.__k && t.__k.__m && (e.__m = t.__k.__m), kl && kl(e, t);
}, z.__r = function(e) {
  vl && vl(e), Me = 0;
  var t = (U = e.__c).__H;
  t && (on === U ? (t.__h = [], U.__h = [], t.__.some(function(n) {
    n.__N && (n.__ = n.__N), n.u = n.__N = void 0;
  })) : (t.__h.some(At), t.__h.some(kn), t.__h = [], Me = 0)), on = U;
}, z.diffed = function(e) {
  yl && yl(e);
  var t = e.__c;
  t && t.__H && (t.__H.__h.length && (Rs.push(t) !== 1 && gl === z.requestAnimationFrame || ((gl = z.requestAnimationFrame) || Oo)(No)), t.__H.__.some(function(n) {
    n.u && (n.__H = n.u, n.u = void 0);
  })), on = U = null;
}, z.__c = function(e, t) {
  t.some(function(n) {
    try {
      n.__h.some(At), n.__h = n.__h.filter(function(l) {
        return !l.__ || kn(l);
      });
    } catch (l) {
      t.some(function(r) {
        r.__h && (r.__h = []);
      }), t = [], z.__e(l, n.__v);
    }
  }), wl && wl(e, t);
}, z.unmount = function(e) {
  _l && _l(e);
  var t, n = e.__c;
  n && n.__H && (n.__H.__.some(function(l) {
    try {
      At(l);
    } catch (r) {
      t = r;
    }
  }), n.__H = void 0, t && z.__e(t, n.__v));
};
var $l = typeof requestAnimationFrame == "function";
function Oo(e) {
  var t, n = function() {
    clearTimeout(l), $l && cancelAnimationFrame(t), setTimeout(e);
  }, l = setTimeout(n, 35);
  $l && (t = requestAnimationFrame(n));
}
function At(e) {
  var t = U, n = e.__c;
  typeof n == "function" && (e.__c = void 0, n()), U = t;
}
function kn(e) {
  var t = U;
  e.__c = e.__(), U = t;
}
function Bn(e, t) {
  return !e || e.length !== t.length || t.some(function(n, l) {
    return n !== e[l];
  });
}
function Ls(e, t) {
  return typeof t == "function" ? t(e) : t;
}
class ae extends Error {
  constructor(t) {
    super(t.message), this.failure = t;
  }
}
const Eo = 100, Sl = 100;
class Po {
  constructor(t, n) {
    this.host = t, this.table = n;
  }
  trouble = null;
  // the table is gone, or nobody answers
  kept = /* @__PURE__ */ new Map();
  flights = /* @__PURE__ */ new Map();
  listeners = /* @__PURE__ */ new Set();
  known(t) {
    return this.knownAs(JSON.stringify(t));
  }
  knownAs(t) {
    return this.kept.get(t);
  }
  // Who asks what is being asked already waits with the others; the last one to leave cancels it.
  async ask(t, n = {}) {
    const l = JSON.stringify(t), { signal: r, onProgress: o } = n;
    if (this.kept.has(l)) return this.used(l);
    r?.throwIfAborted();
    const i = this.flights.get(l) ?? this.start(l, t);
    return i.waiting += 1, o && i.told.add(o), new Promise((a, c) => {
      const u = () => {
        o && i.told.delete(o), i.waiting -= 1, i.waiting === 0 && this.drop(l, i), c(r.reason);
      }, d = () => r?.removeEventListener("abort", u);
      r?.addEventListener("abort", u, { once: !0 }), i.answer.then((f) => (d(), a(f)), (f) => (d(), c(f)));
    });
  }
  // Tell the server that somebody still looks at the table.
  async alive() {
    try {
      await this.host.alive(this.table), this.heard(null);
    } catch (t) {
      this.heard(ce(t));
    }
  }
  subscribe(t) {
    return this.listeners.add(t), () => this.listeners.delete(t);
  }
  start(t, n) {
    const l = new AbortController(), r = /* @__PURE__ */ new Set(), o = (u, d) => r.forEach((f) => f(u, d)), i = this.host.ask(this.table, n, { signal: l.signal, onProgress: o }).then(
      (u) => (this.keep(t, u), this.heard(null), u),
      (u) => {
        throw this.heard(ce(u)), u;
      }
    ), a = { answer: i, controller: l, waiting: 0, told: r };
    this.flights.set(t, a);
    const c = () => this.flights.get(t) === a && this.flights.delete(t);
    return i.then(c, c), a;
  }
  drop(t, n) {
    this.flights.get(t) === n && this.flights.delete(t), n.controller.abort();
  }
  used(t) {
    const n = this.kept.get(t);
    return this.kept.delete(t), this.kept.set(t, n), n;
  }
  keep(t, n) {
    this.kept.set(t, n), this.kept.size > Eo && this.kept.delete(this.kept.keys().next().value);
  }
  heard(t) {
    if (!(t !== null && t.kind !== "gone" && t.kind !== "offline") && t?.kind !== this.trouble?.kind) {
      this.trouble = t;
      for (const n of [...this.listeners]) n();
    }
  }
}
const Ds = Vt(null), le = () => Gt(Ds);
function I(e, t = {}) {
  const n = le(), l = e === null ? null : JSON.stringify(e), [r, o] = w(0), i = N(null), [a, c] = w(null), [u, d] = w(null), [, f] = w(0), h = N(null), m = l === null || i.current?.key === l ? void 0 : n.knownAs(l);
  l !== null && m !== void 0 && (i.current = { key: l, answer: m }), L(() => {
    if (l === null || (d(null), c(null), i.current?.key === l)) return;
    const v = new AbortController();
    h.current = v;
    const x = () => h.current === v, C = (j, q) => x() && d(q ? Math.floor(Sl * j / q) / Sl : null), $ = (j) => x() && c({ key: l, failure: ce(j) });
    v.signal.addEventListener("abort", () => $(v.signal.reason), { once: !0 });
    const S = setTimeout(() => {
      v.signal.aborted || n.ask(JSON.parse(l), { signal: v.signal, onProgress: C }).then((j) => {
        x() && (i.current = { key: l, answer: j }, f((q) => q + 1));
      }, $);
    }, t.delay ?? 0);
    return () => {
      clearTimeout(S), h.current = null, v.abort();
    };
  }, [n, l, r]);
  const p = xl(() => h.current?.abort(), []), g = xl(() => o((v) => v + 1), []), b = i.current !== null && i.current.key === l, y = !b && a !== null && a.key === l ? a.failure : null;
  return {
    answer: i.current?.answer ?? null,
    stale: i.current !== null && !b,
    busy: l !== null && !b && y === null,
    progress: u,
    error: y,
    cancel: p,
    retry: g
  };
}
function ce(e) {
  return e instanceof ae ? e.failure : e instanceof DOMException && e.name === "AbortError" ? { kind: "cancelled", message: "Cancelled." } : { kind: "crash", message: e instanceof Error ? e.message : String(e) };
}
const Un = {
  preset: "roc",
  x: null,
  y: null,
  y2: null,
  sort_by: null,
  direction: null,
  merge: null,
  average: null,
  points: null,
  thresholds: null,
  span: null,
  band: "none",
  multiclass: null,
  x_title: null,
  y_title: null,
  params: {},
  hull: !1
}, Ro = { models: null, folds: null, where: "", weighted: !0, target: null }, Fs = {
  model: null,
  view: null,
  scheme: "equal-width",
  bins: 15,
  least: null,
  distance: "absolute",
  resamples: 999,
  others: !1,
  statistic: "omnibus",
  open: [],
  by: null,
  worst: !1,
  effect: "overconfident",
  sizes: {},
  power: 0.8,
  level: 0.05,
  n: null,
  planStatistic: "omnibus",
  datasets: null,
  method: "auto"
}, Io = {
  bins: "",
  view: "",
  ranges: null,
  metric: null,
  pair: null,
  test: null,
  over: "",
  groups: "",
  after: "",
  rope: null,
  test_share: null,
  adjust: "holm",
  level: 0.95
}, Lo = { against: !1, shares: "none", interval: "auto", level: 0.95, cell: null }, Do = { name: "Board", pins: [] }, Fo = {
  optimum: null,
  measure: null,
  subject_to: "",
  threshold_of: null,
  between: null,
  between_of: null,
  cases_of: null,
  difference: null,
  subgroups: null,
  iso_cost: null
};
function js(e, t) {
  return Array.isArray(e) && e.length === 2 && e.every((l) => typeof l === t && !Number.isNaN(l)) ? e : null;
}
const qs = ["curves", "calibration", "models", "matrix", "board"], ve = {
  table: null,
  room: "curves",
  threshold: null,
  data: Ro,
  curve: Un,
  reading: Fo,
  calibration: Fs,
  models: Io,
  matrix: Lo,
  board: Do
}, jo = 200, qo = 1e3;
class Hn {
  constructor(t = ve, n = () => performance.now()) {
    this.clock = n, this.state = t;
  }
  state;
  past = [];
  future = [];
  merging = null;
  changed = 0;
  // when that was last
  listeners = /* @__PURE__ */ new Set();
  // Changes that follow each other closely under one `merge` name make one step of undo: a slider being
  // dragged, a word being typed. A pause, or the end of the gesture, begins the next step.
  change(t, n = null) {
    if (!Cl(this.state, t)) return;
    const l = this.clock();
    (n === null || n !== this.merging || l - this.changed > qo) && (this.past = [...this.past.slice(1 - jo), this.state]), this.merging = n, this.changed = l, this.future = [], this.set({ ...this.state, ...t });
  }
  // Change some fields of one room's part.
  edit(t, n, l = null) {
    Cl(this.state[t], n) && this.change({ [t]: { ...this.state[t], ...n } }, l);
  }
  // The hand lets go, or leaves the field: what comes next is another step.
  settle() {
    this.merging = null;
  }
  // Take over a state from elsewhere (a URL, a board) without a step of undo.
  replace(t) {
    this.merging = null, this.set(t);
  }
  // Walking through the rooms is no change: undo goes back to what was changed, wherever that was.
  go(t) {
    t !== this.state.room && this.replace({ ...this.state, room: t });
  }
  // Another table, or none: what was chosen for the last one means nothing here, and there is no way back.
  open(t) {
    this.past = [], this.future = [], this.replace({ ...ve, table: t });
  }
  // What an address says. It holds no board: that of this table stays, and another table begins anew.
  arrive(t) {
    const n = t.table ?? this.state.table;
    n !== this.state.table && this.open(n), this.replace({ ...t, table: n, board: this.state.board });
  }
  get canUndo() {
    return this.past.length > 0;
  }
  get canRedo() {
    return this.future.length > 0;
  }
  undo() {
    const t = this.past.pop();
    t && (this.future.push(this.state), this.merging = null, this.set(t));
  }
  redo() {
    const t = this.future.pop();
    t && (this.past.push(this.state), this.merging = null, this.set(t));
  }
  subscribe(t) {
    return this.listeners.add(t), () => this.listeners.delete(t);
  }
  set(t) {
    this.state = t;
    for (const n of [...this.listeners]) n();
  }
}
function Cl(e, t) {
  const n = e;
  return Object.entries(t).some(([l, r]) => r !== n[l] && JSON.stringify(r) !== JSON.stringify(n[l]));
}
const Ws = Vt(new Hn()), T = () => Gt(Ws);
function k(e) {
  const t = T();
  return ut(t, () => e(t.state));
}
function ut(e, t) {
  const [, n] = Is((o) => o + 1, 0), l = t(), r = N({ read: t, seen: l });
  return r.current = { read: t, seen: l }, ye(() => {
    const o = () => {
      Object.is(r.current.read(), r.current.seen) || n(void 0);
    };
    return o(), e.subscribe(o);
  }, [e]), l;
}
function Bs({ of: e }) {
  const { warnings: t, notes: n } = e ?? {}, l = [...Tl(t).map((r) => ({ text: r, warning: !0 })), ...Tl(n).map((r) => ({ text: r, warning: !1 }))];
  return l.length ? /* @__PURE__ */ s("ul", { class: "hints", "aria-label": "Notes", children: l.map(({ text: r, warning: o }) => /* @__PURE__ */ s("li", { class: o ? "warning" : void 0, children: [
    o && /* @__PURE__ */ s("strong", { children: "Note: " }),
    r
  ] }, r)) }) : null;
}
const Tl = (e) => Array.isArray(e) ? [...new Set(e.filter((t) => typeof t == "string"))] : [];
function te({ failure: e, retry: t }) {
  return e.kind === "cancelled" ? /* @__PURE__ */ s(A, { children: [
    "Cancelled. ",
    t && /* @__PURE__ */ s("button", { onClick: t, children: "Compute again" })
  ] }) : /* @__PURE__ */ s("div", { class: "notice", role: "alert", children: [
    /* @__PURE__ */ s("p", { children: e.message }),
    e.formula !== void 0 && e.start !== void 0 && /* @__PURE__ */ s("pre", { children: `${e.formula}
${" ".repeat(e.start)}${"^".repeat(Math.max(1, (e.end ?? 0) - e.start))}` }),
    t && /* @__PURE__ */ s("button", { onClick: t, children: "Try again" })
  ] });
}
const A = ({ children: e }) => /* @__PURE__ */ s("p", { class: "hint", children: e });
function R(e, t = 4) {
  if (e == null || Number.isNaN(e)) return "–";
  if (!Number.isFinite(e)) return e > 0 ? "∞" : "−∞";
  if (e === 0) return "0";
  const n = Math.abs(e);
  return (Number.isInteger(e) && n < 1e15 ? e.toLocaleString("en", { maximumFractionDigits: 0 }) : n >= 1e7 || n < 1e-4 ? e.toExponential(t - 1) : Number(e.toPrecision(Math.max(t, Math.floor(Math.log10(n)) + 1))).toLocaleString("en", { maximumSignificantDigits: 15 })).replaceAll("-", "−");
}
const ue = (e) => e == null ? "–" : `${R(100 * e, 3)} %`;
function D(e, t, n = `${t}s`) {
  return `${R(e)} ${e === 1 ? t : n}`;
}
function mt({ what: e, progress: t, cancel: n }) {
  const [l, r] = w(!1);
  if (L(() => {
    const i = setTimeout(() => r(!0), 300);
    return () => clearTimeout(i);
  }, []), !l) return null;
  const o = t != null;
  return /* @__PURE__ */ s("div", { class: "waiting", children: [
    /* @__PURE__ */ s("span", { role: "status", children: [
      e,
      " …"
    ] }),
    /* @__PURE__ */ s("progress", { "aria-label": e, ...o ? { value: t, max: 1 } : {} }),
    o && /* @__PURE__ */ s("span", { children: ue(t) }),
    n && /* @__PURE__ */ s("button", { type: "button", onClick: n, children: "Cancel" })
  ] });
}
function B({ of: e, what: t, children: n }) {
  const l = e.answer !== null, r = l && e.stale && e.error !== null, o = ["answer", e.stale && (e.busy || r) ? "stale" : "", r ? "left" : "", l ? "over" : ""];
  return /* @__PURE__ */ s("div", { class: o.filter(Boolean).join(" "), "aria-busy": e.busy, children: [
    e.busy && /* @__PURE__ */ s(mt, { what: t, progress: e.progress, cancel: e.cancel }),
    e.error && /* @__PURE__ */ s(te, { failure: e.error, retry: e.retry }),
    r && /* @__PURE__ */ s("p", { class: "old", children: "Old: what follows answers the earlier settings, not those of now." }),
    l && /* @__PURE__ */ s("div", { class: "held", children: [
      n(e.answer),
      /* @__PURE__ */ s(Bs, { of: e.answer })
    ] })
  ] });
}
function M({ value: e, digits: t, name: n }) {
  return /* @__PURE__ */ s("data", { value: e == null ? "" : String(e), "data-name": n, title: e == null ? void 0 : String(e), children: R(e, t) });
}
function H({ caption: e, columns: t, rows: n, onPick: l }) {
  return /* @__PURE__ */ s("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": e, children: /* @__PURE__ */ s("table", { children: [
    /* @__PURE__ */ s("caption", { children: e }),
    /* @__PURE__ */ s("thead", { children: /* @__PURE__ */ s("tr", { children: t.map((r) => /* @__PURE__ */ s("th", { scope: "col", children: r.title }, r.title)) }) }),
    /* @__PURE__ */ s("tbody", { children: n.map((r, o) => /* @__PURE__ */ s("tr", { ...l ? { onClick: () => l(r), class: "pickable" } : {}, children: t.map((i) => {
      const a = i.value(r);
      return typeof a == "number" ? /* @__PURE__ */ s("td", { class: "number", children: /* @__PURE__ */ s(M, { value: a, ...i.name ? { name: i.name } : {} }) }, i.title) : /* @__PURE__ */ s("td", { children: a ?? "–" }, i.title);
    }) }, o)) })
  ] }) });
}
const Wo = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239], Bo = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1], Uo = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783], Ho = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1], Ml = 0.02425, Ye = (e, t) => e.reduce((n, l) => n * t + l, 0);
function Us(e) {
  if (Number.isNaN(e)) return NaN;
  if (e <= 0) return -1 / 0;
  if (e >= 1) return 1 / 0;
  if (e > 1 - Ml) return -Us(1 - e);
  if (e < Ml) {
    const n = Math.sqrt(-2 * Math.log(e));
    return Ye(Uo, n) / Ye(Ho, n);
  }
  const t = e - 0.5;
  return Ye(Wo, t * t) * t / Ye(Bo, t * t);
}
function Hs(e) {
  if (e < 0) return 1 - Hs(-e);
  const t = 1 / (1 + 0.2316419 * e), n = Ye([1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153, 0], t);
  return 1 - Math.exp(-e * e / 2) / Math.sqrt(2 * Math.PI) * n;
}
const zo = 0.07;
function jt(e, t) {
  if (e === "linear") return t;
  const n = Math.min(1, Math.max(0, t));
  return e === "logit" ? Math.log(n / (1 - n)) : Us(n);
}
function Vo(e, t) {
  return e === "linear" ? t : e === "logit" ? 1 / (1 + Math.exp(-t)) : Hs(t);
}
function tt(e, t = {}) {
  const { kind: n = "linear", floor: l } = t;
  let [r, o, i, a] = [1 / 0, -1 / 0, !1, !1];
  for (const u of e)
    for (let d = 0; d < u.length; d++) {
      const f = jt(n, l !== void 0 && u[d] < l ? l : u[d]);
      f === 1 / 0 ? a = !0 : f === -1 / 0 ? i = !0 : (f < r && (r = f), f > o && (o = f));
    }
  t.domain && ([r, o] = t.domain.map((u) => jt(n, u))), (!(r <= o) || !Number.isFinite(o - r)) && ([r, o] = n === "linear" ? [0, 1] : [-2, 2]), t.domain || ([r, o] = Go(r, o, n, t));
  const c = zo * (o - r);
  return { kind: n, low: r, high: o, below: i ? r - c : null, above: a ? o + c : null };
}
function Go(e, t, n, l) {
  if (n === "linear" && l.square) return [Math.min(0, e), Math.max(1, t)];
  if (n === "linear" && e >= 0 && t <= 1 && t - e >= 0.5) return [0, 1];
  if (n === "linear" && l.zero && e >= 0) return [0, t || 1];
  if (n === "linear" && l.zero && t <= 0) return [e, 0];
  if (e === t) {
    const r = Math.max(0.5, Math.abs(e) / 2);
    return [e - r, t + r];
  }
  return [e, t];
}
function Be(e, t, n) {
  const l = e.below ?? e.low, r = e.above ?? e.high, o = (n - t) / (r - l), { kind: i } = e;
  return {
    extent: e,
    place: (a) => {
      const c = jt(i, a);
      return c === 1 / 0 ? n : c === -1 / 0 ? t : t + (c - l) * o;
    },
    value: (a) => {
      const c = l + (a - t) / o;
      return Vo(i, Math.min(e.high, Math.max(e.low, c)));
    }
  };
}
const Jo = [1, 2, 2.5, 5, 10], Ko = [1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9999];
function Qo(e, t, n) {
  if (!(t > e) || !Number.isFinite(t - e)) return Number.isFinite(e) ? [e] : [];
  const l = (t - e) / Math.max(1, n - 1), r = 10 ** Math.floor(Math.log10(l));
  for (const o of [...Jo, 20, 25, 50]) {
    const i = o * r, a = Math.ceil(e / i - 1e-9), c = Math.floor(t / i + 1e-9);
    if (c - a + 1 <= Math.max(2, n)) return Array.from({ length: Math.max(0, c - a + 1) }, (u, d) => zs((a + d) * i));
  }
  return [e, t];
}
const zs = (e) => Number(e.toPrecision(12)) + 0;
function Xo(e, t) {
  const n = Math.max(Math.abs(e), t);
  if (e === 0) return "0";
  if (n >= 1e9 || n < 1e-5) return R(e, 3);
  const l = Math.max(0, Math.ceil(-Math.log10(t) - 1e-9)), r = Math.abs(t * 10 ** l - Math.round(t * 10 ** l)) > 1e-6 ? 1 : 0;
  return e.toLocaleString("en", { maximumFractionDigits: Math.min(20, l + r) }).replace("-", "−");
}
function Nt(e, t) {
  const { extent: n } = e, l = Yo(n, e);
  if (n.kind !== "linear") return [...l, ...Zo(e, t, l)];
  const r = Math.abs(e.place(n.high) - e.place(n.low)), o = Qo(n.low, n.high, Math.max(2, Math.floor(r / t) + 1)), i = o.length > 1 ? o[1] - o[0] : Math.abs(o[0] ?? 1);
  return [...l, ...o.map((a) => ({ value: a, pixel: e.place(a), text: Xo(a, i) }))];
}
function Yo(e, t) {
  const n = e.kind !== "linear", l = [];
  return e.below !== null && l.push({ value: n ? 0 : -1 / 0, pixel: t.place(n ? 0 : -1 / 0), text: n ? "0 %" : "−∞", edge: !0 }), e.above !== null && l.push({ value: n ? 1 : 1 / 0, pixel: t.place(n ? 1 : 1 / 0), text: n ? "100 %" : "∞", edge: !0 }), l;
}
function Zo(e, t, n) {
  const { extent: l } = e, r = n.map((i) => i.pixel), o = [];
  for (const i of [...Ko].sort((a, c) => Math.abs(a - 0.5) - Math.abs(c - 0.5))) {
    const a = jt(l.kind, i), c = e.place(i);
    a < l.low - 1e-9 || a > l.high + 1e-9 || r.some((u) => Math.abs(u - c) < t) || (r.push(c), o.push({ value: i, pixel: c, text: `${zs(100 * i)} %` }));
  }
  return o.sort((i, a) => i.value - a.value);
}
const ei = 12, $e = 7, ti = 24, ni = 440, zn = 22, Ce = (e, t = ei) => {
  let n = 0;
  for (const l of e) n += /[ilj.,:;'|!()\s]/.test(l) ? 0.3 : /[A-ZMWmw%@]/.test(l) ? 0.76 : 0.56;
  return n * t;
}, Ue = (e, t) => e.length <= t ? e : `${e.slice(0, t - 1)}…`;
function li(e) {
  const { width: t, square: n } = e, l = ri(e), r = e.x.names, o = r !== void 0 && oi(r, t - 60), i = 42 + (o ? 0.58 * Math.max(0, ...r.map((S) => Ce(Ue(S, zn)))) - 4 : 0), a = ti + 4, c = e.height ?? (n ? ni + a + i : t < 500 ? 280 : 340), u = Math.max(40, Math.min(c - a - i, n ? t - 60 : 1 / 0)), d = Al(l.y, u), f = l.right && Al(l.right, u), h = 12 + Math.max(14, ...d.ticks.map((S) => Ce(S.text)), o ? 30 : 0), m = f ? 12 + Math.max(14, ...f.ticks.map((S) => Ce(S.text))) : 16, p = Math.max(40, t - h - m), g = n ? Math.min(p, u) : u, b = a + g, y = h + (n ? g : p), v = Be(l.y, b - $e, a + $e), x = l.right && Be(l.right, b - $e, a + $e), C = Be(l.x, h + $e, y - $e), $ = 34;
  return {
    width: n ? y + m : t,
    height: b + i,
    left: h,
    right: y,
    top: a,
    bottom: b,
    x: C,
    y: v,
    right2: x,
    xTicks: r ? ii(r, C) : Nt(C, si(l.x)),
    yTicks: Nt(v, $),
    rightTicks: x ? Nt(x, $) : [],
    turned: o
  };
}
function Al(e, t) {
  return { ticks: Nt(Be(e, t - $e, $e), 34) };
}
function si(e) {
  return e.kind !== "linear" ? 52 : Math.max(56, 18 + Math.max(...[e.low, e.high].map((t) => Ce(Math.round(t).toLocaleString("en")))));
}
function ri({ series: e, x: t, y: n, right: l, square: r }) {
  const o = e.some((f) => f.style === "bars"), i = (f) => e.filter((h) => (h.axis ?? "left") === f && !h.guide).flatMap((h) => [h.y, ...h.low ? [Nl(h.low)] : [], ...h.high ? [Nl(h.high)] : []]), a = e.filter((f) => !f.guide).flatMap((f) => f.x1 ? [f.x, f.x1] : [f.x]), c = (f, h) => f.some((m) => m.length) ? f : e.map((m) => m[h]), u = c(i("left"), "y"), d = n.scale ?? "linear";
  return {
    x: t.names ? { kind: "linear", low: -0.5, high: Math.max(0.5, t.names.length - 0.5), below: null, above: null } : tt(c(a, "x"), { kind: t.scale, domain: t.domain, square: r }),
    y: tt(u, { kind: d, domain: n.domain, floor: n.floor, square: r, zero: n.zero ?? (o || t.names !== void 0) }),
    right: l ? tt(i("right"), { kind: l.scale, domain: l.domain, floor: l.floor, zero: l.zero ?? o }) : null
  };
}
const Nl = (e) => e.filter((t) => Number.isFinite(t));
function oi(e, t) {
  return (Math.max(0, ...e.map((l) => Ce(Ue(l, zn)))) + 10) * e.length > t;
}
function ii(e, t) {
  const n = Math.abs(t.place(1) - t.place(0)), l = Math.max(1, Math.ceil(16 / n));
  return e.map((r, o) => ({ value: o, pixel: t.place(o), text: Ue(r, zn) })).filter((r, o) => o % l === 0);
}
const Fe = (e) => Math.round(e) + 0.5;
function ai({ frame: e }) {
  const { left: t, right: n, top: l, bottom: r } = e;
  return /* @__PURE__ */ s("g", { class: "chart-grid", children: [
    e.yTicks.map((o) => /* @__PURE__ */ s("line", { class: o.edge ? "edge" : void 0, x1: t, x2: n, y1: Fe(o.pixel), y2: Fe(o.pixel) }, `y${o.text}`)),
    e.xTicks.map((o) => /* @__PURE__ */ s("line", { class: o.edge ? "edge" : void 0, x1: Fe(o.pixel), x2: Fe(o.pixel), y1: l, y2: r }, `x${o.text}`)),
    /* @__PURE__ */ s("path", { class: "chart-base", d: `M${Fe(t)},${l}V${Fe(r)}H${n}${e.right2 ? `V${l}` : ""}` })
  ] });
}
function ci({ frame: e, x: t, y: n, right: l }) {
  const { bottom: r, turned: o } = e, i = l ? e.width / 2 - 8 : e.width - 4;
  return /* @__PURE__ */ s("g", { class: "chart-axes", children: [
    /* @__PURE__ */ s(an, { x: 0, y: 14, text: n.title, room: i, anchor: "start" }),
    l && /* @__PURE__ */ s(an, { x: e.width, y: 14, text: l.title, room: i, anchor: "end" }),
    /* @__PURE__ */ s(an, { x: (e.left + e.right) / 2, y: e.height - 6, text: t.title, room: e.width - 8, anchor: "middle" }),
    e.yTicks.map((a) => /* @__PURE__ */ s("text", { x: e.left - 6, y: a.pixel, dy: "0.35em", "text-anchor": "end", children: a.text }, a.text)),
    e.rightTicks.map((a) => /* @__PURE__ */ s("text", { x: e.right + 6, y: a.pixel, dy: "0.35em", children: a.text }, a.text)),
    e.xTicks.map(
      (a) => o ? /* @__PURE__ */ s("text", { x: a.pixel + 4, y: r + 12, "text-anchor": "end", transform: `rotate(-38 ${a.pixel + 4} ${r + 12})`, children: a.text }, a.value) : /* @__PURE__ */ s("text", { x: a.pixel, y: r + 16, "text-anchor": "middle", children: a.text }, a.value)
    )
  ] });
}
function an({ x: e, y: t, text: n, room: l, anchor: r }) {
  const o = Math.max(8, Math.floor(n.length * Math.min(1, l / Math.max(1, Ce(n, 13)))));
  return /* @__PURE__ */ s("text", { class: "chart-title", x: e, y: t, "text-anchor": r, children: [
    Ue(n, o),
    o < n.length && /* @__PURE__ */ s("title", { children: n })
  ] });
}
function Vn(e) {
  const t = [];
  let [n, l] = [!0, !0];
  for (let r = 0; r < e.length; r++) {
    const o = e[r];
    if (Number.isNaN(o)) continue;
    const i = t.length ? e[t[t.length - 1]] : o;
    o > i && (n = !1), o < i && (l = !1), t.push(r);
  }
  return !n && l ? t.reverse() : n || t.sort((r, o) => e[r] === e[o] ? r - o : e[o] > e[r] ? 1 : -1), Int32Array.from(t);
}
function Vs(e, t, n, l = !1) {
  if (!t.length || Number.isNaN(n) || l && n < e[t[t.length - 1]]) return -1;
  let [r, o] = [0, t.length];
  for (; r < o; ) {
    const i = r + o >> 1;
    e[t[i]] >= n ? r = i + 1 : o = i;
  }
  return r - 1;
}
const dt = (e, t, n) => t.length ? Math.max(0, Vs(e, t, n)) : -1;
function Gn(e, t, n, l = !1) {
  const r = Vs(e, t, n, l);
  return r < 0 ? -1 : t[r];
}
function Gs(e, t, n, l) {
  const r = Math.sign(l);
  let o = n;
  for (let i = Math.abs(l); i > 0; i--) {
    let a = o + r;
    for (; a >= 0 && a < t.length && e[t[a]] === e[t[o]]; ) a += r;
    if (a < 0 || a >= t.length) break;
    o = a;
  }
  return o;
}
function Ot(e, t, n, l = !1) {
  let r = null, o = 1 / 0;
  for (let i = 0; i < e.length; i++) {
    const a = e[i];
    if (!a) continue;
    const { px: c, py: u } = a;
    for (let d = 0; d < c.length; d++) {
      const f = c[d] - t, h = u[d] - n, m = l ? f * f + 1e-6 * h * h : f * f + h * h;
      m < o && (o = m, r = { series: i, point: d, distance: 0 });
    }
  }
  return r && (r.distance = Math.sqrt(o)), r;
}
const Ol = 22, Js = (e, t) => e.drawn.filter((n) => n.grip && !t.has(n.series.id));
function ui({ picture: e, hidden: t, range: n }) {
  const { frame: l, swept: r } = e, o = Js(e, t);
  if (r || !o.length) {
    const [i, a] = [n.low, n.high].map((c) => Math.min(l.right, Math.max(l.left, l.x.place(c))));
    return /* @__PURE__ */ s("rect", { class: "chart-stretch", x: Math.min(i, a), y: l.top, width: Math.max(1, Math.abs(a - i)), height: l.bottom - l.top });
  }
  return /* @__PURE__ */ s("g", { children: o.map((i) => /* @__PURE__ */ s("path", { class: "chart-stretch-line", d: di(i, n) }, i.series.id)) });
}
function di(e, { low: t, high: n }) {
  const l = e.series.threshold, [r, o] = [dt(l, e.ladder, n), dt(l, e.ladder, t)], i = Array.from(e.ladder.subarray(r, o + 1), (a) => [e.px[a], e.py[a]]).filter(([a, c]) => !Number.isNaN(a + c));
  return i.length ? `M${i.map(([a, c]) => `${a.toFixed(1)},${c.toFixed(1)}`).join("L")}` : "";
}
function hi({ picture: e, hidden: t, range: n, unit: l }) {
  const r = Js(e, t).find((o) => !o.series.muted) ?? null;
  return /* @__PURE__ */ s(_, { children: ["low", "high"].map((o) => /* @__PURE__ */ s(fi, { end: o, picture: e, one: r, range: n, unit: r ? "threshold" : l }, o)) });
}
function fi({ end: e, picture: t, one: n, range: l, unit: r }) {
  const o = N(!1), i = N(0), a = N({ picture: t, one: n, range: l });
  a.current = { picture: t, one: n, range: l };
  const c = (p, g, b = !1) => {
    const { low: y, high: v, onMove: x } = a.current.range;
    e === "low" ? x(Math.min(p, v), v, g, b) : x(y, Math.max(p, y), g, b);
  }, u = (p, g) => {
    const b = p.currentTarget.parentElement.getBoundingClientRect(), [y, v] = [p.clientX - b.left, p.clientY - b.top];
    cancelAnimationFrame(i.current);
    const x = () => c(pi(a.current, y, v), g);
    g ? x() : i.current = requestAnimationFrame(x);
  }, d = l[e], [f, h] = mi(t, n, d), m = (p) => Math.min(Number.MAX_SAFE_INTEGER, Math.max(-Number.MAX_SAFE_INTEGER, p));
  return /* @__PURE__ */ s(
    "div",
    {
      class: `chart-handle ${e}`,
      role: "slider",
      tabIndex: 0,
      "aria-label": e === "low" ? `Lower ${r}` : `Upper ${r}`,
      "aria-valuenow": m(d),
      "aria-valuetext": `${r} ${R(d, 3)}`,
      "aria-valuemin": m(e === "low" ? -1 / 0 : l.low),
      "aria-valuemax": m(e === "low" ? l.high : 1 / 0),
      style: { transform: `translate(${f - Ol / 2}px, ${h - Ol / 2}px)` },
      onPointerDown: (p) => {
        o.current = !0, p.currentTarget.setPointerCapture(p.pointerId);
      },
      onPointerMove: (p) => o.current && u(p, !1),
      onPointerUp: (p) => {
        o.current && u(p, !0), o.current = !1;
      },
      onKeyDown: (p) => {
        const g = gi(a.current, e, p.key);
        g !== null && (p.preventDefault(), c(g, !0, p.repeat));
      }
    }
  );
}
function mi({ frame: e, swept: t }, n, l) {
  const r = (e.top + e.bottom) / 2;
  if (t || !n) return [Math.min(e.right, Math.max(e.left, e.x.place(l))), r];
  const o = n.ladder[dt(n.series.threshold, n.ladder, l)];
  return [n.px[o], n.py[o]];
}
function pi({ picture: e, one: t }, n, l) {
  const r = t && Ot([t.grip], n, l, e.swept);
  return r ? t.series.threshold[r.point] : e.frame.x.value(n);
}
function gi({ picture: e, one: t, range: n }, l, r) {
  const o = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -1 / 0, End: 1 / 0 }[r];
  if (o === void 0) return null;
  const { extent: i } = e.frame.x;
  if (!t) return Math.min(i.high, Math.max(i.low, n[l] + o * (i.high - i.low) / 100));
  const { ladder: a, series: c } = t;
  return Number.isFinite(o) ? c.threshold[a[Gs(c.threshold, a, dt(c.threshold, a, n[l]), -o)]] : c.threshold[a[o < 0 ? a.length - 1 : 0]];
}
function Oe(e, t) {
  const n = new Float32Array(e.length);
  for (let l = 0; l < e.length; l++) n[l] = t.place(e[l]);
  return n;
}
function Ks(e) {
  let [t, n] = [!0, !0];
  for (let l = 1; l < e.length; l++)
    e[l] < e[l - 1] && (t = !1), e[l] > e[l - 1] && (n = !1);
  return n ? "after" : t ? "before" : null;
}
function Et(e, t, n) {
  if (e.length < 2) return [e, t];
  const l = 2 * e.length - 1, [r, o] = [new Float32Array(l), new Float32Array(l)];
  for (let i = 0; i < e.length; i++)
    [r[2 * i], o[2 * i]] = [e[i], t[i]], i + 1 < e.length && (r[2 * i + 1] = n === "after" ? e[i + 1] : e[i], o[2 * i + 1] = n === "after" ? t[i] : t[i + 1]);
  return [r, o];
}
function bi(...e) {
  const t = [], n = e[0]?.length ?? 0;
  let l = -1;
  for (let r = 0; r <= n; r++) {
    const o = r < n && e.every((i) => !Number.isNaN(i[r]));
    o && l < 0 && (l = r), !o && l >= 0 && (t.push([l, r]), l = -1);
  }
  return t;
}
function vi(e, t) {
  return e <= t ? Array.from({ length: e }, (n, l) => l) : Array.from({ length: t }, (n, l) => Math.round(l * (e - 1) / (t - 1)));
}
function yi(e, t, n, l) {
  const r = [];
  let o = n;
  for (let i = 1; i < e.length; i++) {
    const [a, c] = [e[i] - e[i - 1], t[i] - t[i - 1]], u = Math.hypot(a, c);
    if (!(u > 0)) continue;
    let d = o;
    for (; d <= u; d += l) r.push([e[i - 1] + a * d / u, t[i - 1] + c * d / u]);
    o = d - u;
  }
  return r;
}
const xn = 200;
function cn(e) {
  let [t, n] = [1 / 0, -1 / 0];
  for (const l of e)
    for (let r = 0; r < l.length; r++) {
      const o = l[r];
      Number.isFinite(o) && (o < t && (t = o), o > n && (n = o));
    }
  return t > n ? "no values" : `${R(t)} to ${R(n)}`;
}
function wi({ series: e, x: t, y: n, right: l }) {
  const r = e.filter((c) => !c.guide), o = r.filter((c) => c.axis === "right"), i = t.names ? D(t.names.length, "category", "categories") : cn(r.map((c) => c.x));
  return [
    `Horizontal axis: ${t.title}, ${i}.`,
    `Vertical axis: ${n.title}, ${cn(r.filter((c) => c.axis !== "right").map((c) => c.y))}.`,
    ...l ? [`Right axis: ${l.title}, ${cn(o.map((c) => c.y))}.`] : [],
    `${D(r.length, "series", "series")}${r.length ? `: ${r.slice(0, 12).map((c) => c.name).join(", ")}${r.length > 12 ? " and others" : ""}` : ""}.`
  ].join(" ");
}
function El(e, t = xn) {
  const n = e.filter((a) => !a.guide), l = n.reduce((a, c) => a + c.x.length, 0), r = [];
  let [o, i] = [0, 0];
  for (const a of vi(l, t)) {
    for (; a - i >= n[o].x.length; ) i += n[o++].x.length;
    r.push({ series: n[o], place: a - i });
  }
  return { rows: r, total: l };
}
function _i({ series: e, x: t, y: n, right: l }) {
  const r = e.filter((u) => !u.guide), o = (u) => r.some((d) => d[u] !== void 0), i = (u) => ({ series: d, place: f }) => d[u]?.[f] ?? null, a = (u) => ({ series: d, place: f }) => (d.axis ?? "left") === u ? d.y[f] : null, c = t.title === "threshold";
  return [
    ...r.length > 1 ? [{ title: "series", value: (u) => u.series.name }] : [],
    { title: o("x1") ? `${t.title}, from` : t.title, value: ({ series: u, place: d }) => t.names?.[u.x[d]] ?? u.x[d] },
    ...o("x1") ? [{ title: `${t.title}, to`, value: i("x1") }] : [],
    { title: n.title, value: a("left") },
    ...l ? [{ title: l.title, value: a("right") }] : [],
    ...o("low") ? [{ title: "low", value: i("low") }] : [],
    ...o("high") ? [{ title: "high", value: i("high") }] : [],
    ...o("size") ? [{ title: "size", value: i("size") }] : [],
    ...o("threshold") && !c ? [{ title: "threshold", value: i("threshold") }] : []
  ];
}
function ki(e, t) {
  const n = (r) => {
    if (r === null || typeof r == "number" && Number.isNaN(r)) return "";
    if (typeof r == "number") return String(r);
    const o = r.replace(/[\t\r\n]+/g, " ");
    return /^[=+\-@]/.test(o) ? `'${o}` : o;
  };
  return `${[e.map((r) => n(r.title)), ...t.map((r) => e.map((o) => n(o.value(r))))].map((r) => r.join("	")).join(`
`)}
`;
}
const $n = 8, Pl = ["circle", "square", "triangle", "diamond", "down", "plus", "cross", "star"], Rl = [[], [7, 3], [1.5, 3], [8, 3, 1.5, 3]], Il = { solid: [], dashed: [6, 4], dotted: [1.5, 3] };
function xi(e) {
  const t = Math.max(0, Math.floor(e.color)), n = Math.floor(t / $n), l = e.guide || e.muted, o = (e.dash ? Il[e.dash] : null) ?? (e.guide ? Il.dashed : e.muted || $i(e) ? [] : Rl[(t + n) % Rl.length]);
  return {
    ink: e.guide ? "--pl-muted" : e.muted ? "--pl-draws" : `--pl-line${t % $n + 1}`,
    dash: o,
    marker: Pl[(t + n) % Pl.length],
    width: l ? 1 : e.thin ? 0.9 : 1.8
  };
}
const $i = (e) => e.style === "bars" || e.style === "points";
function Qs(e, t) {
  switch (e) {
    case "circle":
      return null;
    case "square":
      return [[-t, -t], [t, -t], [t, t], [-t, t]].map(([n, l]) => [0.88 * n, 0.88 * l]);
    case "triangle":
      return wt(3, t * 1.25, -90);
    case "diamond":
      return wt(4, t * 1.25, 0);
    case "down":
      return wt(3, t * 1.25, 90);
    case "plus":
      return Ll(t, 0);
    case "cross":
      return Ll(t, 45);
    case "star":
      return wt(10, t * 1.35, -90).map(([n, l], r) => r % 2 ? [0.45 * n, 0.45 * l] : [n, l]);
  }
}
const Xs = (e, t, n) => {
  const l = n * Math.PI / 180;
  return [e * Math.cos(l) - t * Math.sin(l), e * Math.sin(l) + t * Math.cos(l)];
}, wt = (e, t, n) => Array.from({ length: e }, (l, r) => Xs(t, 0, n + 360 * r / e));
function Ll(e, t) {
  const [n, l] = [0.38 * e, 1.1 * e];
  return [[n, -l], [n, -n], [l, -n], [l, n], [n, n], [n, l], [-n, l], [-n, n], [-l, n], [-l, -n], [-n, -n], [-n, -l]].map(([o, i]) => Xs(o, i, t));
}
function Si(e, t) {
  const n = Qs(e, t);
  return n ? `M${n.map(([l, r]) => `${l.toFixed(2)},${r.toFixed(2)}`).join("L")}Z` : `M${-t},0A${t},${t} 0 1 0 ${t},0A${t},${t} 0 1 0 ${-t},0Z`;
}
function Ci({ drawn: e, hidden: t, onToggle: n, onLight: l }) {
  const r = e.filter((o) => !o.series.guide);
  return /* @__PURE__ */ s("ul", { class: "chart-legend", "aria-label": "Series", children: r.map((o) => {
    const { id: i, name: a } = o.series;
    return /* @__PURE__ */ s("li", { children: /* @__PURE__ */ s(
      "button",
      {
        type: "button",
        "aria-pressed": !t.has(i),
        title: t.has(i) ? `Show ${a}` : `Hide ${a}`,
        onClick: () => n(i),
        onPointerEnter: () => l(i),
        onPointerLeave: () => l(null),
        onFocus: (c) => c.currentTarget.matches(":focus-visible") && l(i),
        onBlur: () => l(null),
        children: [
          /* @__PURE__ */ s(Ti, { one: o, marked: r.length > 1 }),
          /* @__PURE__ */ s("span", { children: a })
        ]
      }
    ) }, i);
  }) });
}
function Ti({ one: e, marked: t }) {
  const { look: n, series: l } = e, r = `var(${n.ink})`, o = l.style === "bars", i = l.style === "points" || l.style === "line+points", a = !o && !i && l.low !== void 0 && l.high !== void 0, c = !o && l.style !== "points" && !(a && l.muted), u = i || t && !l.muted && !l.thin;
  return /* @__PURE__ */ s("svg", { class: "chart-key", width: "30", height: "14", "aria-hidden": "true", children: [
    o && /* @__PURE__ */ s("rect", { x: "3", y: "2", width: "24", height: "10", style: { fill: r } }),
    a && /* @__PURE__ */ s("rect", { class: "chart-key-band", x: "1", y: "1", width: "28", height: "12", style: { fill: r, opacity: l.muted ? 0.45 : 0.25 } }),
    c && /* @__PURE__ */ s("line", { x1: "1", x2: "29", y1: "7", y2: "7", style: { stroke: r, strokeWidth: n.width + 0.2, strokeDasharray: n.dash.join(" ") } }),
    !o && u && /* @__PURE__ */ s("path", { d: Si(n.marker, 3.4), transform: "translate(15 7)", style: { stroke: r, strokeWidth: 1.2, fill: i ? r : "var(--paper)" } })
  ] });
}
const X = 15, Mi = (e, t) => Math.max(0, Math.min(e.left + e.width, t.left + t.width) - Math.max(e.left, t.left)) * Math.max(0, Math.min(e.top + e.height, t.top + t.height) - Math.max(e.top, t.top));
function Ai(e, t) {
  const n = [];
  return e.map(({ text: l, width: r, places: o }) => {
    const i = o.map(([u, d]) => Ni({ left: u, top: d, width: r, height: X }, t)), a = i.map((u) => n.reduce((d, f) => d + Mi(u, f), 0)), c = i[a.indexOf(Math.min(...a))];
    return n.push(c), { text: l, box: c };
  });
}
function Ni(e, t) {
  const n = Math.max(t.left, Math.min(e.left, t.left + t.width - e.width)), l = Math.max(t.top, Math.min(e.top, t.top + t.height - e.height));
  return { ...e, left: n, top: l };
}
const Ys = (e, t, n) => Math.min(n, Math.max(t, e)), he = (e, t) => Ys(e.x.place(t), e.left, e.right), fe = (e, t) => Ys(e.y.place(t), e.top, e.bottom);
function Oi({ frame: e, marks: t }) {
  return /* @__PURE__ */ s("g", { children: t.map((n, l) => {
    if (n.kind !== "region") return null;
    const r = Zs(e, n);
    return /* @__PURE__ */ s("rect", { class: "chart-region", x: r.x, y: r.y, width: r.width, height: r.height }, l);
  }) });
}
const Ei = (e) => e === void 0 ? {} : { style: { "--of": `var(--pl-line${e % $n + 1})` } };
function Zs(e, { axis: t, from: n, to: l }) {
  const [r, o] = t === "x" ? [he(e, n), he(e, l)] : [fe(e, n), fe(e, l)], [i, a] = [Math.min(r, o), Math.max(2, Math.abs(r - o))];
  return t === "x" ? { x: i, y: e.top, width: a, height: e.bottom - e.top } : { x: e.left, y: i, width: e.right - e.left, height: a };
}
function Pi({ picture: e, marks: t, hidden: n }) {
  const { frame: l } = e, { left: r, right: o, top: i, bottom: a } = l, c = [...t.flatMap((d) => Ii(d, l)), ...Li(e, n)], u = Ai(c, { left: r + 2, top: i, width: o - r - 4, height: a - i });
  return /* @__PURE__ */ s("g", { class: "chart-marks", children: [
    t.map((d, f) => /* @__PURE__ */ s(Ri, { mark: d, frame: l }, f)),
    u.map(({ text: d, box: f }, h) => /* @__PURE__ */ s("text", { class: "chart-name", x: f.left + 2, y: f.top + 11, children: d }, h))
  ] });
}
function Ri({ mark: e, frame: t }) {
  const { left: n, right: l, top: r, bottom: o } = t;
  if (e.kind === "rule") {
    const i = Math.round(e.axis === "x" ? t.x.place(e.at) : t.y.place(e.at)) + 0.5, [a, c] = e.axis === "x" ? [n, l] : [r, o];
    return i >= a - 1 && i <= c + 1 ? e.axis === "x" ? /* @__PURE__ */ s("line", { class: "chart-rule", x1: i, x2: i, y1: r, y2: o }) : /* @__PURE__ */ s("line", { class: "chart-rule", x1: n, x2: l, y1: i, y2: i }) : null;
  }
  if (e.kind === "segment") {
    const [i, a] = [e.x.map((c) => he(t, c)), e.y.map((c) => fe(t, c))];
    return /* @__PURE__ */ s("line", { class: `chart-segment ${e.dash ?? "solid"}`, x1: i[0], x2: i[1], y1: a[0], y2: a[1] });
  }
  if (e.kind === "stretch") {
    const i = e.step ? Ks(e.x) : null, [a, c] = [Float32Array.from(e.x, (h) => he(t, h)), Float32Array.from(e.y, (h) => fe(t, h))], [u, d] = i ? Et(a, c, i) : [a, c], f = Array.from(u, (h, m) => `${h.toFixed(1)},${d[m].toFixed(1)}`);
    return /* @__PURE__ */ s("polyline", { class: "chart-stretch-of", ...Ei(e.color), points: f.join(" ") });
  }
  return e.kind === "point" && !Number.isNaN(e.x + e.y) ? /* @__PURE__ */ s("circle", { class: "chart-point", cx: he(t, e.x), cy: fe(t, e.y), r: 5.5 }) : null;
}
function Ii(e, t) {
  if (!e.label) return [];
  const n = Ce(e.label, 12) + 6, { left: l, right: r, top: o, bottom: i } = t, a = (d) => [{ text: e.label, width: n, places: d }];
  if (e.kind === "point") {
    const [d, f] = [he(t, e.x), fe(t, e.y)];
    return a([[d + 8, f - X / 2], [d + 8, f + 8], [d - 8 - n, f - X / 2], [d - n / 2, f - X - 8], [d - n / 2, f + 8], [d + 8, f - X - 8]]);
  }
  if (e.kind === "segment") {
    const [d, f] = [(he(t, e.x[0]) + he(t, e.x[1])) / 2, (fe(t, e.y[0]) + fe(t, e.y[1])) / 2];
    return a([[d + 6, f - X / 2], [d + 6, f - X - 4], [d - n - 6, f + 4], [d + 6, f + 10]]);
  }
  if (e.kind === "stretch") {
    const d = e.x.length >> 1, [f, h] = [he(t, e.x[d]), fe(t, e.y[d])];
    return a([[f + 10, h + 4], [f - n - 10, h - X - 4], [f + 10, h - X - 4], [f - n - 10, h + 6]]);
  }
  const c = e.kind === "region" ? Zs(t, e) : null;
  if (e.axis === "x") {
    const d = c ? c.x + c.width / 2 - n / 2 : he(t, e.at) + 3;
    return a([0, 1, 2, 3, 4].map((f) => [d, o + 2 + f * X]));
  }
  const u = c ? c.y + 2 : fe(t, e.at) - X - 1;
  return a([[r - n - 4, u], [l + 4, u], [r - n - 4, Math.min(i - X, u + X + 2)], [(l + r) / 2, u]]);
}
function Li({ drawn: e, frame: t }, n) {
  return e.flatMap((l) => {
    if (!l.series.guide || !l.series.name || n.has(l.series.id)) return [];
    const r = Ce(l.series.name, 12) + 6, o = Array.from(l.px, (d, f) => [d, l.py[f]]).filter(([d, f]) => d >= t.left && d <= t.right && f >= t.top && f <= t.bottom);
    if (!o.length) return [];
    const [i, a] = [o[0], o[o.length - 1]], c = (d) => o.length > 2 ? o[Math.round(d * (o.length - 1))] : [i[0] + d * (a[0] - i[0]), i[1] + d * (a[1] - i[1])], u = [0.86, 0.6, 0.35, 0.1].map(c).flatMap(([d, f]) => [[d - r / 2, f + 6], [d - r / 2, f - X - 4]]);
    return [{ text: l.series.name, width: r, places: u }];
  });
}
const Di = ["", "probability"];
function Jn(e, t) {
  const n = typeof e == "string" ? e.trim() : "", l = Di.includes(n);
  return typeof t != "string" ? l ? null : n : l ? `rating of ${t}` : `${n}, where ${t} counts as positive`;
}
function nt({ curve: e, data: t }) {
  const n = (l, r) => l?.[r];
  return Jn(n(e, "sort_by"), n(t, "target"));
}
const Fi = (e, t) => e.reading.threshold_of === t ? e.threshold : null;
class ji {
  constructor(t) {
    this.store = t, this.threshold = t.state.threshold, this.unit = t.state.reading.threshold_of, t.subscribe(() => this.show(t.state.threshold, t.state.reading.threshold_of));
  }
  threshold;
  unit;
  gestures = 0;
  listeners = /* @__PURE__ */ new Set();
  // The threshold in a unit, null where it was chosen in another.
  at(t = this.own) {
    return t === this.unit ? this.threshold : null;
  }
  // Every move that is done is a step of undo of its own, unless it goes on with the last one.
  move(t, n, { unit: l = this.own, again: r = !1 } = {}) {
    if (this.show(t, l), !n) return;
    r || (this.gestures += 1);
    const { reading: o } = this.store.state;
    this.store.change({ threshold: t, reading: { ...o, threshold_of: l } }, `threshold ${this.gestures}`);
  }
  on(t) {
    const n = () => this.at(t);
    return {
      get threshold() {
        return n();
      },
      move: (l, r, o = !1) => this.move(l, r, { unit: t, again: o }),
      subscribe: (l) => this.subscribe(l)
    };
  }
  subscribe(t) {
    return this.listeners.add(t), () => this.listeners.delete(t);
  }
  // What rooms without a curve decide by.
  get own() {
    return Jn(null, this.store.state.data.target);
  }
  show(t, n) {
    if (!(t === this.threshold && n === this.unit)) {
      this.threshold = t, this.unit = n;
      for (const l of [...this.listeners]) l();
    }
  }
}
const er = Vt(null), _e = () => Gt(er);
function Jt(e) {
  const t = _e(), [, n] = w(null);
  return L(() => {
    const l = () => n(t.at(e));
    return l(), t.subscribe(l);
  }, [t, e]), t.at(e);
}
const Dl = 34, Ke = 3;
function qi(e, t, n) {
  const { series: l } = e, r = l.axis === "right" && n.right ? n.right : n.y, o = (f, h) => `${Ue(f, Dl)} ${R(h, Ke)}`, i = n.x.names ? [n.x.names[l.x[t]] ?? ""] : l.x1 ? [`${Ue(n.x.title, Dl)} ${R(l.x[t], Ke)} to ${R(l.x1[t], Ke)}`] : [o(n.x.title, l.x[t])], a = l.threshold?.[t], c = n.x.title === "threshold", [u, d] = [l.low?.[t], l.high?.[t]];
  return [
    ...a !== void 0 && !Number.isNaN(a) && !c ? [o("threshold", a)] : [],
    ...i,
    o(r.title, l.y[t]),
    ...u !== void 0 && d !== void 0 && Number.isFinite(u + d) ? [`between ${R(u, Ke)} and ${R(d, Ke)}`] : []
  ];
}
const Wi = 60, Fl = 10, Bi = "http://www.w3.org/2000/svg";
class Ui {
  constructor(t, n, l, r) {
    this.parts = t, this.scene = n, this.cursor = l, this.memory = r, this.shown = n.picture.drawn.filter((o) => !n.hidden.has(o.series.id) && !o.series.guide), this.gripped = l ? this.shown.filter((o) => o.grip) : [], this.rule = this.added("line", "chart-cursor-rule");
    for (const o of this.gripped) this.rings.set(o, this.added("circle", n.picture.crowd ? "chart-cursor small" : "chart-cursor", { r: n.picture.crowd ? "3" : "5", style: `--at: var(${o.look.ink})` }));
    this.ring = this.added("circle", "chart-hover", { r: "6" }), this.listen("pointerdown", (o) => this.press(o)), this.listen("pointermove", (o) => this.later(o)), this.listen("pointerup", (o) => this.release(o)), this.listen("pointercancel", (o) => this.release(o)), this.listen("pointerleave", () => this.leave()), this.listen("keydown", (o) => this.key(o)), l && this.stops.push(l.subscribe(() => this.show())), r.dragging && (this.dragged = this.active ?? null), this.show();
  }
  shown;
  gripped;
  // those that have thresholds
  rings = /* @__PURE__ */ new Map();
  rule;
  ring;
  stops = [];
  dragged = null;
  pending = null;
  frame = 0;
  stop() {
    cancelAnimationFrame(this.frame);
    for (const t of this.stops) t();
    this.parts.marks.replaceChildren(), this.parts.readout.hidden = this.parts.hover.hidden = !0;
  }
  listen(t, n) {
    this.parts.plot.addEventListener(t, n), this.stops.push(() => this.parts.plot.removeEventListener(t, n));
  }
  added(t, n, l = {}) {
    const r = document.createElementNS(Bi, t);
    r.setAttribute("class", n);
    const { style: o, ...i } = l;
    for (const [a, c] of Object.entries(i)) r.setAttribute(a, c);
    return o && r.style.setProperty(...o.split(": ")), r.setAttribute("visibility", "hidden"), this.parts.marks.append(r), r;
  }
  // ---------------------------------------------------------------- the threshold
  get active() {
    return this.gripped.find((t) => t.series.id === this.memory.active) ?? this.gripped.find((t) => !t.series.muted) ?? this.gripped[0];
  }
  get threshold() {
    return this.cursor ? this.cursor.threshold ?? this.scene.usual() : null;
  }
  show() {
    const t = this.threshold;
    for (const [o, i] of this.rings) this.stand(i, t === null ? null : this.spotOf(o, this.placeAt(o, t)));
    this.showRule(t);
    const n = this.active;
    if (!this.cursor || !n) return;
    const l = t === null ? -1 : this.placeAt(n, t);
    this.tell(n, l, t);
    const r = this.spotOf(n, l);
    this.write(this.parts.readout, r, r ? this.named(n, l) : []);
  }
  showRule(t) {
    const { frame: n, swept: l } = this.scene.picture, r = t === null || !l ? NaN : n.x.place(t), o = r >= n.left && r <= n.right;
    if (this.rule.setAttribute("visibility", o ? "visible" : "hidden"), !!o)
      for (const [i, a] of Object.entries({ x1: r, x2: r, y1: n.top, y2: n.bottom })) this.rule.setAttribute(i, String(a));
  }
  placeAt(t, n) {
    return Gn(t.series.threshold, t.ladder, n, t.series.ends);
  }
  spotOf(t, n) {
    const { frame: l } = this.scene.picture, [r, o] = [t.px[n] ?? NaN, t.py[n] ?? NaN];
    return r >= l.left && r <= l.right && o >= l.top && o <= l.bottom ? { x: r, y: o } : null;
  }
  named(t, n) {
    const l = qi(t, n, this.scene.titles);
    return this.shown.length > 1 ? [t.series.name, ...l] : l;
  }
  // What a screen reader hears.
  tell(t, n, l) {
    const { plot: r } = this.parts, { threshold: o } = t.series, [i, a] = [t.ladder[0], t.ladder[t.ladder.length - 1]].map((u) => o[u]), c = (u) => String(Number.isFinite(u) ? u : Math.sign(u) * Number.MAX_SAFE_INTEGER);
    r.setAttribute("aria-valuemin", c(a)), r.setAttribute("aria-valuemax", c(i)), r.setAttribute("aria-valuenow", c(n < 0 ? Math.min(i, Math.max(a, l ?? a)) : o[n])), r.setAttribute("aria-valuetext", l === null ? "no threshold chosen" : n < 0 ? `undefined at threshold ${R(l, 3)}` : this.named(t, n).join(", "));
  }
  move(t, n, l, r = !1) {
    this.memory.active = t.series.id;
    const o = t.series.threshold[n];
    o === this.cursor.threshold && this.show(), this.cursor.move(o, l, r);
  }
  key(t) {
    const n = this.active;
    if (!this.cursor || !n || t.altKey || t.ctrlKey || t.metaKey) return;
    const l = this.rungFor(t.key, n);
    l !== null && (t.preventDefault(), this.move(n, n.ladder[l], !0, t.repeat));
  }
  // Where a key leads: to the right and up, down the ladder where its points run to the right.
  rungFor(t, n) {
    const { ladder: l, series: r, px: o } = n, i = l.length - 1, a = o[l[i]] >= o[l[0]] ? 1 : -1, c = this.threshold, u = { ArrowRight: a, ArrowUp: a, ArrowLeft: -a, ArrowDown: -a, PageUp: Fl * a, PageDown: -Fl * a }[t];
    return t === "Home" ? a > 0 ? 0 : i : t === "End" ? a > 0 ? i : 0 : u === void 0 ? null : c === null ? i >> 1 : Gs(r.threshold, l, dt(r.threshold, l, c), u);
  }
  // ---------------------------------------------------------------- the pointer
  press(t) {
    if (!this.cursor || t.button !== 0 || !this.gripped.length) return;
    const n = Ot(this.gripped.map((l) => l.grip), ...this.spot(t), this.scene.picture.swept);
    n && (this.parts.plot.setPointerCapture(t.pointerId), this.dragged = this.gripped[n.series], this.memory.dragging = !0, this.write(this.parts.hover, null, []), this.stand(this.ring, null), this.move(this.dragged, n.point, !1));
  }
  later(t) {
    this.pending = t, this.frame || (this.frame = requestAnimationFrame(() => this.follow()));
  }
  follow() {
    this.frame = 0;
    const t = this.pending;
    this.pending = null, t && (this.dragged ? this.drag(t, !1) : t.buttons || this.point(t));
  }
  drag(t, n) {
    const l = this.dragged, r = Ot([l.grip], ...this.spot(t), this.scene.picture.swept);
    r && this.move(l, r.point, n);
  }
  release(t) {
    this.dragged && (cancelAnimationFrame(this.frame), this.frame = 0, this.pending = null, t.type === "pointercancel" ? this.cursor.move(this.cursor.threshold, !0) : this.drag(t, !0), this.dragged = null, this.memory.dragging = !1);
  }
  point(t) {
    const n = Ot(this.shown, ...this.spot(t), this.scene.picture.swept), l = n && n.distance <= Wi ? n : null, r = l ? this.shown[l.series] : null, o = r ? this.spotOf(r, l.point) : null;
    this.stand(this.ring, o), this.write(this.parts.hover, o, o ? this.named(r, l.point) : []);
  }
  leave() {
    this.pending = null, this.stand(this.ring, null), this.write(this.parts.hover, null, []);
  }
  spot(t) {
    const n = this.parts.plot.getBoundingClientRect(), { left: l, top: r } = this.scene.picture.frame;
    return [t.clientX - n.left + l, t.clientY - n.top + r];
  }
  // ---------------------------------------------------------------- writing
  stand(t, n) {
    t.setAttribute("visibility", n ? "visible" : "hidden"), n && t.setAttribute("transform", `translate(${n.x.toFixed(1)} ${n.y.toFixed(1)})`);
  }
  write(t, n, l) {
    if (t.hidden = n === null, !n) return;
    const { frame: r } = this.scene.picture, [o, i] = [n.x > (r.left + r.right) / 2, n.y > (r.top + r.bottom) / 2];
    for (t.style.transform = `translate(${n.x.toFixed(1)}px, ${n.y.toFixed(1)}px) translate(${o ? "calc(-100% - 12px)" : "12px"}, ${i ? "calc(-100% - 8px)" : "8px"})`; t.childElementCount < l.length; ) t.append(document.createElement("span"));
    for (; t.childElementCount > l.length; ) t.lastElementChild.remove();
    l.forEach((a, c) => {
      const u = t.children[c];
      u.textContent !== a && (u.textContent = a);
    });
  }
}
function Hi({ picture: e, hidden: t, cursor: n, usual: l, unit: r, label: o, x: i, y: a, right: c }) {
  const u = _e(), d = Z(() => u?.on(r) ?? null, [u, r]), [f, h, m, p] = [N(null), N(null), N(null), N(null)], g = N({ active: null, dragging: !1 }), b = N(null), y = N(null);
  y.current = l ?? null;
  const v = N({ x: i, y: a, right: c });
  v.current = { x: i, y: a, right: c };
  const x = n && d !== null && e.drawn.some((j) => j.grip && !t.has(j.series.id));
  ye(() => {
    const j = { plot: f.current, marks: h.current, readout: m.current, hover: p.current }, q = new Ui(j, { picture: e, hidden: t, usual: () => y.current, titles: v.current }, x ? d : null, g.current);
    return b.current = q, () => q.stop();
  }, [e, t, d, x]), ye(() => b.current?.show(), [l]);
  const { frame: C } = e, $ = { left: `${C.left}px`, top: `${C.top}px`, width: `${C.right - C.left}px`, height: `${C.bottom - C.top}px` }, S = x ? { role: "slider", tabIndex: 0, "aria-label": `Threshold on ${o}` } : { "aria-hidden": !0 };
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("svg", { class: "chart-layer", width: C.width, height: C.height, "aria-hidden": "true", children: /* @__PURE__ */ s("g", { ref: h }) }),
    /* @__PURE__ */ s("div", { ref: f, class: x ? "chart-plot slides" : "chart-plot", style: $, ...S }, x ? "slider" : "plain"),
    /* @__PURE__ */ s("div", { ref: m, class: "chart-readout", "aria-hidden": "true", hidden: !0 }),
    /* @__PURE__ */ s("div", { ref: p, class: "chart-readout", "aria-hidden": "true", hidden: !0 })
  ] });
}
const zi = 25, Vi = 150, Gi = 11;
function tr(e) {
  const t = getComputedStyle(e), n = /* @__PURE__ */ new Map();
  return (l) => (n.has(l) || n.set(l, t.getPropertyValue(l).trim() || "#888"), n.get(l));
}
function nr(e, t, n) {
  const l = globalThis.devicePixelRatio || 1, [r, o] = [Math.round(t * l), Math.round(n * l)];
  (e.width !== r || e.height !== o) && ([e.width, e.height] = [r, o]);
  const i = e.getContext("2d");
  return i?.setTransform(l, 0, 0, l, 0, 0), i?.clearRect(0, 0, t, n), i;
}
function lr(e, t, n) {
  const { ctx: l, lit: r } = t, { left: o, right: i, top: a, bottom: c } = e.frame;
  l.save(), l.beginPath(), l.rect(o - 1, a - 1, i - o + 2, c - a + 2), l.clip();
  const u = e.drawn.filter((h) => !n.has(h.series.id)), d = (h) => +(h.series.id === r) * 8 + (h.series.guide ? 1 : h.series.style === "bars" ? 0 : h.series.muted ? 2 : 3), f = u.map((h, m) => ({ one: h, place: m })).sort((h, m) => d(h.one) - d(m.one) || m.place - h.place);
  for (const { one: h } of f) jl(t, h, () => Zi(h, t));
  for (const { one: h } of f) jl(t, h, () => Ji(h, t, e));
  l.restore();
}
function jl({ ctx: e, lit: t }, n, l) {
  e.globalAlpha = t === null || n.series.id === t || n.series.guide ? 1 : 0.18, l(), e.globalAlpha = 1;
}
function Ji(e, t, { several: n, crowd: l }) {
  const r = e.series.style ?? "line", { ctx: o, ink: i } = t;
  if (o.strokeStyle = o.fillStyle = i(e.look.ink), r === "bars") return Yi(e, t);
  r !== "points" && (o.lineWidth = (l ? Math.min(1, e.look.width) : e.look.width) + (t.lit === e.series.id ? 1 : 0), o.lineJoin = "round", o.setLineDash([...e.look.dash]), Ki(o, e.lineX, e.lineY), o.stroke(), o.setLineDash([])), r === "points" || r === "line+points" ? Xi(e, t) : !e.series.guide && !e.series.muted && !e.series.thin && !(l && t.lit !== e.series.id) && Qi(e, t, n);
}
function Ki(e, t, n) {
  e.beginPath();
  let l = !1;
  for (let r = 0; r < t.length; r++) {
    const [o, i] = [t[r], n[r]];
    o !== o || i !== i ? l = !1 : l ? e.lineTo(o, i) : (e.moveTo(o, i), l = !0);
  }
}
function Qi(e, { ctx: t, ink: n }, l) {
  const r = e.px.length <= zi && (!e.series.path || e.px.length === 1);
  if (!r && !l) return;
  const o = n("--paper"), i = 30 + 17 * (e.series.color % 8), a = r ? Array.from(e.px, (c, u) => [c, e.py[u]]) : yi(e.lineX, e.lineY, i, Vi);
  for (const [c, u] of a) sr(t, c, u, { marker: l ? e.look.marker : "circle", r: 3, fill: o, edge: n(e.look.ink) });
}
function Xi(e, { ctx: t, ink: n }) {
  const { px: l, py: r, series: o, look: i } = e, a = n(i.ink), c = o.size ? o.size.reduce((f, h) => h > f ? h : f, 0) : 0, u = l.length > 400, d = t.globalAlpha;
  t.globalAlpha = d * (o.size || u ? 0.65 : 1);
  for (let f = 0; f < l.length; f++) {
    if (l[f] !== l[f] || r[f] !== r[f]) continue;
    const h = o.size ? Math.max(1.5, Gi * Math.sqrt(o.size[f] / (c || 1))) : u ? 1.4 : 3.6;
    u && !o.size ? t.fillRect(l[f] - h, r[f] - h, 2 * h, 2 * h) : sr(t, l[f], r[f], { marker: o.size ? "circle" : i.marker, r: h, fill: a, edge: n("--paper") });
  }
  t.globalAlpha = d;
}
function Yi(e, { ctx: t, ink: n }) {
  const l = e.y.place(e.y.extent.kind === "linear" ? Math.min(e.y.extent.high, Math.max(e.y.extent.low, 0)) : 0), r = t.globalAlpha;
  for (let o = 0; o < e.px.length; o++) {
    const [i, a] = e.right ? [e.px[o], e.right[o]] : [e.px[o] - 5, e.px[o] + 5], [c, u] = [Math.min(i, a), Math.max(1, Math.abs(a - i) - 1)], [d, f] = [Math.min(l, e.py[o]), Math.abs(l - e.py[o])];
    !(u > 0) || !(f >= 0) || (t.globalAlpha = r * (e.series.muted ? 0.5 : 0.75), t.fillStyle = n(e.look.ink), t.fillRect(c, d, u, f));
  }
  t.globalAlpha = r;
}
function Zi(e, { ctx: t, ink: n }) {
  const { low: l, high: r, series: o } = e;
  if (!l || !r) return;
  if (t.strokeStyle = t.fillStyle = n(e.look.ink), o.style === "points" || o.style === "bars") return ea(e, t);
  const i = t.globalAlpha;
  t.globalAlpha = i * 0.18;
  for (const [a, c] of bi(e.bandX, l, r)) {
    t.beginPath();
    for (let u = a; u < c; u++) t.lineTo(e.bandX[u], r[u]);
    for (let u = c - 1; u >= a; u--) t.lineTo(e.bandX[u], l[u]);
    t.closePath(), t.fill();
  }
  t.globalAlpha = i;
}
function ea(e, t) {
  t.lineWidth = 1.2, t.beginPath();
  for (let n = 0; n < e.px.length; n++) {
    const l = e.right && e.series.style === "bars" ? (e.px[n] + e.right[n]) / 2 : e.px[n], [r, o] = [e.low[n], e.high[n]];
    if (Number.isFinite(l + r + o)) {
      t.moveTo(l, r), t.lineTo(l, o);
      for (const i of [r, o])
        t.moveTo(l - 3, i), t.lineTo(l + 3, i);
    }
  }
  t.stroke();
}
function sr(e, t, n, { marker: l, r, fill: o, edge: i }) {
  e.beginPath();
  const a = Qs(l, r);
  if (!a) e.arc(t, n, r, 0, 2 * Math.PI);
  else for (const [c, u] of a) e.lineTo(t + c, n + u);
  e.closePath(), e.lineWidth = 1.2, e.fillStyle = o, e.strokeStyle = i, e.fill(), e.stroke();
}
const ta = 12;
function na(e) {
  return rr(e.series, li(e), e.x.names !== void 0);
}
function rr(e, t, n = !1) {
  const l = e.filter((i) => !i.guide && !i.muted), r = e.map((i) => la(i, t, n ? ra(i, l, t) : 0)), o = r.filter((i) => i.ladder.length > 0);
  return { frame: t, drawn: r, several: l.length > 1, crowd: l.length > ta, empty: !r.some(oa), swept: o.length > 0 && o.every((i) => ia(i.series)) };
}
function la(e, t, n) {
  const l = e.axis === "right" && t.right2 ? t.right2 : t.y, r = Oe(e.x, t.x).map((m) => m + n), o = Oe(e.y, l);
  let [i, a] = [e.low ? Oe(e.low, l) : null, e.high ? Oe(e.high, l) : null], [c, u, d] = [r, o, r];
  const f = e.style === "step" ? Ks(e.x) : null;
  e.path ? [c, u] = [Oe(e.path.x, t.x), Oe(e.path.y, l)] : f && ([c, u] = Et(r, o, f), i && a && ([d, i] = Et(r, i, f), [, a] = Et(r, a, f)));
  const h = e.threshold && !e.guide ? Vn(e.threshold) : new Int32Array();
  return { series: e, look: xi(e), y: l, px: r, py: o, lineX: c, lineY: u, right: e.x1 ? Oe(e.x1, t.x) : null, low: i, high: a, bandX: d, dodge: n, ladder: h, grip: sa(h, { px: r, py: o }) };
}
function sa(e, { px: t, py: n }) {
  if (!e.length || e.length === t.length) return e.length ? { px: t, py: n } : null;
  const l = { px: new Float32Array(t.length).fill(NaN), py: n };
  for (const r of e) l.px[r] = t[r];
  return l;
}
function ra(e, t, n) {
  const l = t.indexOf(e);
  if (t.length < 2 || l < 0) return 0;
  const r = Math.abs(n.x.place(1) - n.x.place(0));
  return (l - (t.length - 1) / 2) * Math.min(12, 0.8 * r / t.length);
}
const oa = ({ series: e, px: t, py: n }) => !e.guide && t.some((l, r) => !Number.isNaN(l + n[r]));
function ia({ x: e, threshold: t }) {
  if (!t) return !1;
  for (let n = 0; n < e.length; n++) if (e[n] !== t[n] && !Number.isNaN(t[n])) return !1;
  return e.length > 0;
}
function aa(e) {
  const [t, n] = w(!1);
  return /* @__PURE__ */ s("details", { class: "chart-table", onToggle: (l) => n(l.currentTarget.open), children: [
    /* @__PURE__ */ s("summary", { children: "Show as table" }),
    t && /* @__PURE__ */ s(ca, { ...e })
  ] });
}
function ca({ label: e, ...t }) {
  const [n, l] = w(""), { rows: r, total: o } = Z(() => El(t.series), [t.series]), i = _i(t), a = async () => {
    const u = ki(i, El(t.series, 1 / 0).rows);
    try {
      await navigator.clipboard.writeText(u), l(`Copied ${D(o, "point")}.`);
    } catch {
      l("The browser does not allow copying here.");
    }
  }, c = o > xn ? `${xn} of ${D(o, "drawn point")}, evenly spread` : D(o, "drawn point");
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("p", { class: "chart-copy", children: [
      /* @__PURE__ */ s("button", { type: "button", onClick: () => void a(), children: "Copy as tab-separated text" }),
      " ",
      /* @__PURE__ */ s("span", { role: "status", children: n })
    ] }),
    /* @__PURE__ */ s(H, { caption: `${e}: ${c}`, columns: i, rows: r })
  ] });
}
function ua(e = 1) {
  const t = N(null), [n, l] = w(0);
  return ye(() => {
    const r = t.current;
    if (!r) return;
    const o = () => l(Math.ceil(r.clientWidth / e) * e);
    o();
    const i = new ResizeObserver(o);
    return i.observe(r), () => i.disconnect();
  }, [e]), [t, n];
}
function or(e) {
  const [t, n] = w(0);
  return L(() => {
    const l = e.current?.closest(".plumbline"), r = () => n((a) => a + 1), o = new MutationObserver(r);
    l && o.observe(l, { attributes: !0, attributeFilter: ["data-theme", "class"] });
    const i = ["(prefers-color-scheme: dark)", `(resolution: ${globalThis.devicePixelRatio || 1}dppx)`].map((a) => matchMedia(a));
    for (const a of i) a.addEventListener("change", r);
    return () => {
      o.disconnect();
      for (const a of i) a.removeEventListener("change", r);
    };
  }, [e, t]), t;
}
const da = 170, ha = /* @__PURE__ */ new Set();
function se(e) {
  const { label: t, x: n, y: l, right: r, square: o, height: i, marks: a = [], cursor: c = !1, between: u, table: d = !0 } = e, [f, h] = ua(), [m, p] = w(ha), [g, b] = w(null), y = ga(e.series), v = JSON.stringify([n, l, r, o, i]), x = Z(() => h > 0 ? na({ series: y, x: n, y: l, right: r, square: o, height: i, width: h }) : null, [y, v, h]), C = y.filter((V) => !V.guide), $ = e.legend ?? C.length > 1, S = K(), j = (V) => p((ee) => pa(ee, V)), q = x !== null && h - x.frame.width > da, Q = Z(() => wi({ series: y, x: n, y: l, right: r }), [y, v]);
  return /* @__PURE__ */ s("div", { class: q ? "chart beside" : "chart", ref: f, children: [
    x && /* @__PURE__ */ s("div", { class: "chart-stage", style: { width: `${x.frame.width}px`, height: `${x.frame.height}px` }, children: [
      /* @__PURE__ */ s("svg", { class: "chart-layer", width: x.frame.width, height: x.frame.height, "aria-hidden": "true", children: [
        /* @__PURE__ */ s(ai, { frame: x.frame }),
        /* @__PURE__ */ s(Oi, { frame: x.frame, marks: a }),
        u && /* @__PURE__ */ s(ui, { picture: x, hidden: m, range: u })
      ] }),
      /* @__PURE__ */ s(ma, { picture: x, hidden: m, lit: g, label: t, describedBy: `${S}-words` }),
      /* @__PURE__ */ s("svg", { class: "chart-layer", width: x.frame.width, height: x.frame.height, "aria-hidden": "true", children: [
        /* @__PURE__ */ s(ci, { frame: x.frame, x: n, y: l, right: r }),
        /* @__PURE__ */ s(Pi, { picture: x, marks: a, hidden: m }),
        x.empty && /* @__PURE__ */ s(fa, { frame: x.frame })
      ] }),
      /* @__PURE__ */ s(Hi, { picture: x, hidden: m, cursor: c, usual: e.usual, unit: e.unit ?? null, label: t, x: n, y: l, right: r }),
      u && /* @__PURE__ */ s(hi, { picture: x, hidden: m, range: u, unit: n.title })
    ] }),
    $ && x && C.length > 0 && /* @__PURE__ */ s(Ci, { drawn: x.drawn, hidden: m, onToggle: j, onLight: b }),
    /* @__PURE__ */ s("p", { id: `${S}-words`, class: "chart-words", children: Q }),
    d && /* @__PURE__ */ s(aa, { label: t, series: y, x: n, y: l, right: r })
  ] });
}
function fa({ frame: e }) {
  return /* @__PURE__ */ s("text", { class: "chart-nothing", x: (e.left + e.right) / 2, y: (e.top + e.bottom) / 2, "text-anchor": "middle", children: "No point to draw" });
}
function ma({ picture: e, hidden: t, lit: n, label: l, describedBy: r }) {
  const o = N(null), i = or(o), { width: a, height: c } = e.frame;
  return ye(() => {
    const u = o.current, d = nr(u, a, c);
    d && (lr(e, { ctx: d, ink: tr(u), lit: n }, t), performance.mark("plumbline:drawn"));
  }, [e, t, n, i]), /* @__PURE__ */ s("canvas", { ref: o, class: "chart-canvas", style: { width: `${a}px`, height: `${c}px` }, role: "img", "aria-label": l, "aria-describedby": r });
}
function pa(e, t) {
  const n = new Set(e);
  return n.delete(t) || n.add(t), n;
}
function ga(e) {
  const t = N(e);
  return e.length === t.current.length && e.every((l, r) => ba(l, t.current[r])) || (t.current = e), t.current;
}
function ba(e, t) {
  if (e === t) return !0;
  const n = /* @__PURE__ */ new Set([...Object.keys(e), ...Object.keys(t)]);
  for (const l of n)
    if (l === "path") {
      if (e.path?.x !== t.path?.x || e.path?.y !== t.path?.y) return !1;
    } else if (e[l] !== t[l]) return !1;
  return !0;
}
const Ie = [0, 1], ir = { kind: "segment", x: Ie, y: Ie, dash: "dashed" }, un = 8;
function Kn({ curve: e, label: t, overlays: n = [], compact: l = !1 }) {
  const r = [
    { id: "true", name: `${100 * e.level} % range if ${l ? "" : "the probabilities are "}true`, color: 0, x: e.mean_probability, y: e.mean_probability, low: e.band_low, high: e.band_high, muted: !0, dash: "dashed" },
    ...n.map((o, i) => ({ id: o.name, name: o.name, color: i + 1, x: o.x, y: o.y, style: "line", muted: o.muted ?? !1 })),
    { id: "observed", name: "observed in bins", color: 0, x: e.mean_probability, y: e.outcome_share, size: e.weight, style: "line+points", dash: "solid" }
  ];
  return /* @__PURE__ */ s("div", { class: "cal-diagram", children: [
    /* @__PURE__ */ s(se, { label: t, square: !0, series: r, marks: [ir], x: { title: me(e.x_title), domain: Ie }, y: { title: me(e.y_title), domain: Ie }, table: !l }),
    !l && /* @__PURE__ */ s(va, { curve: e, label: t })
  ] });
}
function va({ curve: e, label: t }) {
  const n = [{ id: "rows", name: "rows", color: 0, x: e.lo, x1: e.hi, y: e.count, style: "bars", muted: !0 }];
  return /* @__PURE__ */ s(se, { label: `${t}: rows in each bin`, series: n, x: { title: me(e.x_title), domain: Ie }, y: { title: "Rows" }, height: 120, table: !1, legend: !1 });
}
function ya({ found: e, label: t }) {
  const n = e.bins ?? [];
  if (!n.length || n.length === e.n) return null;
  const l = [...new Set(n.map((o) => o.class ?? ""))], r = l.slice(0, un).map((o, i) => {
    const a = n.filter((u) => (u.class ?? "") === o), c = (u) => Float64Array.from(a, u);
    return { id: o || "bins", name: o || "observed in bins", color: i, x: c((u) => u.mean_probability), y: c((u) => u.outcome_share), size: c((u) => u.weight), style: "line+points" };
  });
  return /* @__PURE__ */ s("div", { class: "cal-diagram", children: [
    /* @__PURE__ */ s(se, { label: t, square: !0, series: r, marks: [ir], x: { title: "Predicted probability", domain: Ie }, y: { title: "Observed relative frequency", domain: Ie } }),
    l.length > un && /* @__PURE__ */ s(A, { children: [
      "The first ",
      un,
      " of ",
      l.length,
      " classes are drawn; all count."
    ] })
  ] });
}
const me = (e) => e.slice(0, 1).toUpperCase() + e.slice(1);
function Qn({ low: e, high: t }) {
  return /* @__PURE__ */ s("span", { class: "cal-span", children: e === null || t === null ? "–" : `${R(e, 3)} to ${R(t, 3)}` });
}
const wa = { temperature: "temperature", share: "share of rows", probability: "of probability", "log-odds": "of log-odds" }, _a = "This asks another question than the test above: the test says whether the probabilities could be true and which ways of being wrong it sees, of which there may be several at once; here one shape alone must explain the whole.", ka = ({ question: e, compact: t }) => {
  const n = I(e);
  return /* @__PURE__ */ s(B, { of: n, what: "Looking for the shape of the fault", children: (l) => /* @__PURE__ */ s("div", { class: t ? "stack" : "cal-pair", children: [
    /* @__PURE__ */ s(
      Kn,
      {
        curve: l.curve,
        label: `Diagnosis${l.model === null ? "" : ` of ${l.model}`}`,
        overlays: l.fitted.score.length ? [{ name: `if ${l.shape} were all`, x: l.fitted.score, y: l.fitted.share }] : [],
        compact: !0
      }
    ),
    /* @__PURE__ */ s("div", { class: "stack", children: [
      /* @__PURE__ */ s("p", { "data-name": "diagnosis", children: l.statement }),
      !t && l.shape === "other" && /* @__PURE__ */ s(A, { children: _a })
    ] }),
    !t && /* @__PURE__ */ s("div", { class: "cal-wide", children: /* @__PURE__ */ s(xa, { answer: l }) })
  ] }) });
};
function xa({ answer: e }) {
  return /* @__PURE__ */ s(
    H,
    {
      caption: "Evidence: the best first",
      rows: e.evidence,
      columns: [
        { title: "Shape", value: (t) => t.class === null ? t.shape : `${t.shape}: ${t.class}` },
        { title: "Estimate", value: (t) => t.estimate },
        { title: "95 % interval", value: (t) => /* @__PURE__ */ s(Qn, { low: t.low, high: t.high }) },
        { title: "Unit", value: (t) => wa[t.kind] ?? t.kind },
        { title: "Explains", value: (t) => ue(t.explained) },
        { title: "p", value: (t) => t.p_value }
      ]
    }
  );
}
const $a = (e) => e.question.by === null || e.question.by === void 0 ? /* @__PURE__ */ s(Ma, { ...e }) : /* @__PURE__ */ s(Sa, { ...e });
function Sa({ question: e, compact: t }) {
  const n = I(e);
  return /* @__PURE__ */ s(B, { of: n, what: "Looking at the groups", children: (l) => /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s("ul", { class: "verdicts", "data-name": "groups-verdict", children: l.verdict_lines.map((r) => /* @__PURE__ */ s("li", { children: r }, r)) }),
    /* @__PURE__ */ s(Ta, { answer: l }),
    !t && /* @__PURE__ */ s(
      H,
      {
        caption: `Calibration by ${l.by}; p-values of the ${l.statistic} test, adjusted for the number of groups`,
        rows: l.groups,
        columns: [
          { title: "Group", value: (r) => r.group },
          { title: "Rows", value: (r) => r.n },
          { title: "Predicted", value: (r) => r.mean_probability },
          { title: "Observed", value: (r) => r.outcome_share },
          { title: "Bias", value: (r) => r.bias },
          { title: "Error", value: (r) => r.value },
          { title: "If true", value: (r) => r.null_mean },
          { title: "Adjusted p", value: (r) => r.adjusted_p_value },
          { title: "Rejected", value: (r) => r.rejected ? "yes" : "no" }
        ]
      }
    )
  ] }) });
}
function Ca({ groups: e, columns: t, level: n }) {
  const l = (r) => {
    const o = Float64Array.from([...e.keys()].filter((c) => e[c].rejected === r)), i = (c) => o.map((u) => c[u]), a = r ? "rejected by its test" : "not rejected";
    return { id: a, name: `${a}; ${100 * n} % interval of the bias`, color: r ? 1 : 0, x: o, y: i(t.bias), low: i(t.bias_low), high: i(t.bias_high), style: "points" };
  };
  return [l(!1), l(!0)].filter((r) => r.x.length);
}
function Ta({ answer: e }) {
  return /* @__PURE__ */ s(
    se,
    {
      label: `Bias by ${e.by}`,
      series: Ca(e),
      marks: [{ kind: "rule", axis: "y", at: 0 }],
      x: { title: e.by, names: e.groups.map((t) => t.group) },
      y: { title: "Observed − predicted" },
      height: 260,
      legend: !0,
      table: !1
    }
  );
}
function Ma({ question: e, compact: t }) {
  const n = I(e);
  return /* @__PURE__ */ s(B, { of: n, what: "Searching all slices", children: (l) => /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s("p", { "data-name": "worst-verdict", children: l.verdict }),
    /* @__PURE__ */ s(
      H,
      {
        caption: `The worst of ${D(l.searched, "slice")}`,
        rows: t ? l.slices.slice(0, 3) : l.slices,
        columns: [
          { title: "Slice", value: (r) => r.class === void 0 ? r.slice : `${r.slice} (${r.class})` },
          { title: "Rows", value: (r) => r.n },
          { title: "Predicted", value: (r) => r.mean_probability },
          { title: "Observed", value: (r) => r.outcome_share },
          { title: "Bias", value: (r) => r.bias },
          { title: "z", value: (r) => r.z },
          { title: "Adjusted p", value: (r) => r.adjusted_p_value },
          { title: "Rejected", value: (r) => r.rejected ? "yes" : "no" }
        ]
      }
    ),
    l.skipped.length > 0 && /* @__PURE__ */ s(A, { children: [
      "Left out: ",
      l.skipped.join("; "),
      "."
    ] })
  ] }) });
}
const Aa = 1.96, Na = ({ question: e, compact: t }) => {
  const n = I(e);
  return /* @__PURE__ */ s(B, { of: n, what: "Simulating data sets", children: (l) => /* @__PURE__ */ s("div", { class: t ? "stack" : "cal-pair", children: [
    /* @__PURE__ */ s(Ea, { answer: l }),
    /* @__PURE__ */ s("div", { class: "stack", children: [
      /* @__PURE__ */ s("p", { "data-name": "plan-verdict", children: l.verdict }),
      !t && /* @__PURE__ */ s(Oa, { answer: l }),
      l.reason && /* @__PURE__ */ s(A, { children: [
        me(l.reason),
        "."
      ] }),
      !t && l.tests.length > 0 && /* @__PURE__ */ s(
        H,
        {
          caption: "The tests on the same data sets",
          rows: l.tests,
          columns: [
            { title: "Test", value: (r) => r.test },
            { title: "Rows", value: (r) => r.n },
            { title: "Power", value: (r) => r.power },
            { title: "Standard error", value: (r) => r.std_error }
          ]
        }
      )
    ] })
  ] }) });
};
function Oa({ answer: e }) {
  return /* @__PURE__ */ s("dl", { class: "facts", children: [
    /* @__PURE__ */ s("dt", { children: [
      "Power at ",
      e.n === null ? "n" : e.n.toLocaleString("en"),
      " rows"
    ] }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(M, { value: e.power_at_n, name: "power-at-n", digits: 2 }) }),
    /* @__PURE__ */ s("dt", { children: [
      "Rows needed for power ",
      e.power
    ] }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(M, { value: e.n_needed, name: "n-needed" }) }),
    /* @__PURE__ */ s("dt", { children: "Mildest effect seen" }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(M, { value: e.detectable, name: "detectable", digits: 3 }) }),
    /* @__PURE__ */ s("dt", { children: "No test needs fewer than about" }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(M, { value: e.n_limit, name: "n-limit" }) })
  ] });
}
function Ea({ answer: e }) {
  const { points: t, fitted: n } = e;
  if (!t.n.length) return null;
  const l = (i) => t.power.map((a, c) => Math.min(1, Math.max(0, a + i * Aa * t.std_error[c]))), r = [
    ...n.n.length ? [{ id: "line", name: "fitted line", color: 0, x: n.n, y: n.power, style: "line", dash: "solid" }] : [],
    { id: "simulated", name: "simulated, ± 95 %", color: 1, x: t.n, y: t.power, low: l(-1), high: l(1), style: "points" }
  ], o = [
    { kind: "rule", axis: "y", at: e.power, label: `power ${e.power}` },
    ...e.n_needed === null ? [] : [{ kind: "rule", axis: "x", at: e.n_needed, label: `${e.n_needed.toLocaleString("en")} rows` }]
  ];
  return /* @__PURE__ */ s(se, { label: `Power of the ${e.test} test against the number of rows`, series: r, marks: o, x: { title: "Number of rows" }, y: { title: `Power at level ${e.level}`, domain: [0, 1.02] }, height: 300 });
}
const Pa = "Why two intervals of one change: the first paragraph chooses among the methods, and its interval is widened because other rows would have given another map; the second tells what the chosen method did to these rows, with its maps held as they are.", _t = [0, 1], Ra = ({ question: e, compact: t }) => {
  const [n, l] = w(!1), r = n ? { ...e, sure: n } : e, o = I(r);
  return /* @__PURE__ */ s(B, { of: o, what: e.method === "auto" ? "Trying all methods" : "Mending the rows", children: (i) => i.tried === !1 ? /* @__PURE__ */ s(Ia, { answer: i, go: () => l(!0) }) : /* @__PURE__ */ s(La, { answer: i, compact: t ?? !1 }) });
};
function Ia({ answer: e, go: t }) {
  const n = e.seconds ?? 0, l = n > 90 ? D(Math.round(n / 60), "minute") : D(Math.max(1, Math.round(n)), "second");
  return /* @__PURE__ */ s("div", { class: "notice", children: [
    /* @__PURE__ */ s("p", { children: [
      "Trying all methods on ",
      D(e.n, "row"),
      " may take about ",
      l,
      ". A single method, chosen above, is quicker."
    ] }),
    /* @__PURE__ */ s("button", { onClick: t, children: "Try them all" })
  ] });
}
function La({ answer: e, compact: t }) {
  const { advice: n, effect: l, map: r, before: o, after: i } = e, a = e.method === "auto" ? n?.verdict : l?.verdict, c = Da(e, l?.method);
  return /* @__PURE__ */ s("div", { class: "stack", children: [
    e.reason && /* @__PURE__ */ s("div", { class: "notice", children: /* @__PURE__ */ s("p", { children: [
      me(e.reason),
      "."
    ] }) }),
    a && /* @__PURE__ */ s("p", { "data-name": "advice", children: a }),
    e.method === "auto" && l && !t && /* @__PURE__ */ s("p", { "data-name": "effect", children: l.verdict }),
    e.method === "auto" && n && l && !t && /* @__PURE__ */ s(A, { children: Pa }),
    l && /* @__PURE__ */ s("div", { class: "cal-side", children: [
      o && /* @__PURE__ */ s(ql, { curve: o, name: "Before", p: l.test_before }),
      i && /* @__PURE__ */ s(ql, { curve: i, name: `After ${c}`, p: l.test_after }),
      r && !t && /* @__PURE__ */ s(Fa, { map: r, title: c })
    ] }),
    l && !t && /* @__PURE__ */ s(ja, { effect: l, title: c }),
    !t && e.method === "auto" && n && /* @__PURE__ */ s(qa, { advice: n }),
    !t && [...n?.remarks ?? [], ...l?.remarks ?? []].map((u) => /* @__PURE__ */ s(A, { children: u }, u)),
    l && !t && /* @__PURE__ */ s(A, { children: [
      "Every row here is mended by a map that was fitted on other rows; the map drawn is fitted on all ",
      D(l.n, "row"),
      "."
    ] })
  ] });
}
const Da = (e, t) => e.methods.find((n) => n.name === t)?.title ?? t ?? "";
function ql({ curve: e, name: t, p: n }) {
  return /* @__PURE__ */ s("figure", { children: [
    /* @__PURE__ */ s("figcaption", { children: [
      t,
      /* @__PURE__ */ s("br", {}),
      /* @__PURE__ */ s("small", { children: [
        "error ",
        R(e.value, 3),
        n !== null && `, test p = ${R(n, 3)}`
      ] })
    ] }),
    /* @__PURE__ */ s(Kn, { curve: e, label: `Reliability diagram ${t.toLowerCase()}`, compact: !0 })
  ] });
}
function Fa({ map: e, title: t }) {
  const n = e.x_title === "rating";
  return /* @__PURE__ */ s("figure", { children: [
    /* @__PURE__ */ s("figcaption", { children: [
      "The map",
      /* @__PURE__ */ s("br", {}),
      /* @__PURE__ */ s("small", { children: [
        "fitted on ",
        D(e.n, "row")
      ] })
    ] }),
    /* @__PURE__ */ s(
      se,
      {
        label: `Map of ${t}`,
        square: !n,
        series: e.lines.map((l, r) => ({ id: l.name, name: l.name, color: r, x: l.x, y: l.y, style: "line", dash: "solid" })),
        marks: n ? [] : [{ kind: "segment", x: _t, y: _t, dash: "dashed", label: "as it is" }],
        x: { title: me(e.x_title), ...n ? {} : { domain: _t } },
        y: { title: me(e.y_title), domain: _t },
        table: !1
      }
    ),
    e.note && /* @__PURE__ */ s(A, { children: e.note })
  ] });
}
const ar = ([e, t]) => /* @__PURE__ */ s(Qn, { low: e, high: t });
function ja({ effect: e, title: t }) {
  return /* @__PURE__ */ s(
    H,
    {
      caption: `The same ${D(e.n, "row")} before and after ${t}`,
      rows: e.changes,
      columns: [
        { title: "Score", value: (n) => n.title },
        { title: "Before", value: (n) => n.before },
        { title: "After", value: (n) => n.after },
        { title: "Difference", value: (n) => n.difference },
        { title: "95 % interval", value: (n) => ar(n.interval_range) },
        { title: "p", value: (n) => n.p_value },
        { title: "Better", value: (n) => n.better }
      ]
    }
  );
}
function qa({ advice: e }) {
  const t = e.methods.filter((l) => l.reason === void 0), n = e.methods.filter((l) => l.reason !== void 0);
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s(
      H,
      {
        caption: `Every method, cross-fitted in ${e.parts} parts; as it is the log loss is ${R(e.log_loss_before)}`,
        rows: t,
        columns: [
          { title: "Method", value: (l) => l.title },
          { title: "Log loss", value: (l) => l.log_loss },
          { title: "Difference", value: (l) => l.log_loss_difference },
          { title: "95 % interval", value: (l) => ar(l.log_loss_range) },
          { title: "Adjusted p", value: (l) => l.adjusted_p_value },
          { title: "Brier score", value: (l) => l.brier_score },
          { title: "AUC", value: (l) => l.roc_auc_after },
          { title: "Ties", value: (l) => ue(l.ties_created) },
          { title: "Helps", value: (l) => l.helps ? "yes" : "no" }
        ]
      }
    ),
    n.length > 0 && /* @__PURE__ */ s(A, { children: [
      "Not tried: ",
      n.map((l) => `${l.title} (${l.reason})`).join(", "),
      "."
    ] })
  ] });
}
function cr({ bars: e, title: t, label: n, draws: l }) {
  const r = [
    ...e.low !== null && e.high !== null ? [{ kind: "region", axis: "x", from: e.low, to: e.high }] : [],
    ...e.value !== null ? [{ kind: "rule", axis: "x", at: e.value, label: "observed" }] : []
  ], o = [{ id: "draws", name: "if the probabilities are true", color: 0, x: e.edges.slice(0, -1), x1: e.edges.slice(1), y: e.counts, style: "bars", muted: !0 }], [i, a] = [Math.min(e.edges[0] ?? 1 / 0, e.value ?? 1 / 0), Math.max(e.edges.at(-1) ?? -1 / 0, e.value ?? -1 / 0)], c = 0.05 * (a - i) || 0.05;
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s(
      se,
      {
        label: n,
        series: o,
        marks: r,
        x: { title: e.scale === "linear" ? t : `${t}, powers of ten`, domain: [i - c, a + c] },
        y: { title: `Draws of ${l.toLocaleString("en")}` },
        height: 220,
        legend: !1
      }
    ),
    /* @__PURE__ */ s(A, { children: "Bars: what true probabilities score on these rows; shaded: 95 % of them." }),
    e.infinite > 0 && /* @__PURE__ */ s(A, { children: [
      D(e.infinite, "draw"),
      " without a finite value ",
      e.infinite === 1 ? "is" : "are",
      " not drawn."
    ] })
  ] });
}
const ur = (e) => e.models.find((t) => t.model === e.shown) ?? e.models[0], Wa = ({ question: e, compact: t }) => {
  const n = I(e, { delay: 120 });
  return /* @__PURE__ */ s(B, { of: n, what: "Measuring calibration", children: (l) => /* @__PURE__ */ s(Ba, { answer: l, compact: t ?? !1, others: e.others === !0 }) });
};
function Ba({ answer: e, compact: t, others: n }) {
  const l = ur(e), r = `Reliability diagram${l.model === null ? "" : ` of ${l.model}`}`, i = (n ? e.models.filter((c) => c !== l && c.curve) : []).map((c) => ({ name: c.model ?? "", x: c.curve.mean_probability, y: c.curve.outcome_share, muted: !0 })), a = l.curve ? /* @__PURE__ */ s(Kn, { curve: l.curve, label: r, overlays: i, compact: t }) : /* @__PURE__ */ s(ya, { found: l, label: r });
  return t ? /* @__PURE__ */ s(_, { children: [
    a,
    /* @__PURE__ */ s(Wl, { found: l })
  ] }) : /* @__PURE__ */ s("div", { class: "cal-pair", children: [
    /* @__PURE__ */ s("div", { children: [
      a,
      l.why_no_curve && /* @__PURE__ */ s(A, { children: l.why_no_curve })
    ] }),
    /* @__PURE__ */ s("div", { class: "stack", children: [
      /* @__PURE__ */ s(Wl, { found: l }),
      l.histogram && /* @__PURE__ */ s(cr, { bars: l.histogram, title: `Calibration error (${l.distance})`, label: `Calibration errors if the probabilities of ${l.model ?? "these rows"} are true`, draws: l.resamples }),
      /* @__PURE__ */ s(Ha, { found: l })
    ] })
  ] });
}
function Wl({ found: e }) {
  const [t, n] = e.null_range;
  return /* @__PURE__ */ s("div", { class: "cal-words", children: [
    /* @__PURE__ */ s("p", { class: "cal-headline", children: [
      /* @__PURE__ */ s("span", { class: "cal-big", children: e.value === null ? "∞" : /* @__PURE__ */ s(M, { value: e.value, digits: 3, name: "error" }) }),
      " calibration error",
      e.model !== null && /* @__PURE__ */ s(_, { children: [
        " of ",
        e.model
      ] })
    ] }),
    t !== null && n !== null && /* @__PURE__ */ s("p", { children: [
      "True probabilities would score ",
      /* @__PURE__ */ s(M, { value: t, digits: 3, name: "null-low" }),
      " to ",
      /* @__PURE__ */ s(M, { value: n, digits: 3, name: "null-high" }),
      " on these ",
      D(e.n, "row"),
      ", ",
      /* @__PURE__ */ s(M, { value: e.null_mean, digits: 3, name: "null-mean" }),
      " on average. ",
      Ua(e.value, t, n),
      " (p = ",
      /* @__PURE__ */ s(M, { value: e.p_value, name: "p-value" }),
      ")."
    ] }),
    e.reason && /* @__PURE__ */ s(A, { children: [
      me(e.reason),
      "."
    ] }),
    e.notes.map((l) => /* @__PURE__ */ s(A, { children: l }, l))
  ] });
}
function Ua(e, t, n) {
  return e === null || e > n ? "This error is larger than chance explains" : e < t ? "This error is smaller than chance would have it, as if the probabilities had seen the outcomes or the rows were copies" : "This error is what chance alone would give; that is no proof of calibration";
}
function Ha({ found: e }) {
  return /* @__PURE__ */ s("dl", { class: "facts", children: [
    /* @__PURE__ */ s("dt", { children: "View" }),
    /* @__PURE__ */ s("dd", { children: e.view }),
    /* @__PURE__ */ s("dt", { children: "Bins" }),
    /* @__PURE__ */ s("dd", { children: e.scheme }),
    /* @__PURE__ */ s("dt", { children: "Excess over true" }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(M, { value: e.excess, name: "excess" }) }),
    e.effective_n !== e.n && /* @__PURE__ */ s(_, { children: [
      /* @__PURE__ */ s("dt", { children: "Effective rows" }),
      /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(M, { value: e.effective_n }) })
    ] }),
    e.impossible_rows > 0 && /* @__PURE__ */ s(_, { children: [
      /* @__PURE__ */ s("dt", { children: "Impossible rows" }),
      /* @__PURE__ */ s("dd", { children: [
        D(e.impossible_rows, "row"),
        " whose class had been given probability 0"
      ] })
    ] })
  ] });
}
const Xn = [
  { value: "equal-width", label: "Equal width", numbered: !0 },
  { value: "equal-size", label: "Equally many rows", numbered: !0 },
  { value: "tail-width", label: "Narrow near 0 and 1", numbered: !0 },
  { value: "log-odds-width", label: "Equal width in log-odds", numbered: !0 },
  { value: "freedman-diaconis", label: "Freedman–Diaconis rule", numbered: !1 },
  { value: "monotone-sweep", label: "Monotone sweep", numbered: !1 },
  { value: "isotonic", label: "Isotonic", numbered: !1 },
  { value: "one-per-point", label: "One row a bin", numbered: !1 }
], Bl = [
  { value: "absolute", label: "Absolute" },
  { value: "square", label: "Square" },
  { value: "log", label: "Log" },
  { value: "chi-square", label: "Chi-square" },
  { value: "hellinger", label: "Hellinger" },
  { value: "overestimation", label: "Too high only" },
  { value: "underestimation", label: "Too low only" }
], za = ["absolute", "square", "log", "chi-square"], Ul = (e) => e === "joint" ? Bl.filter((t) => za.includes(t.value)) : Bl, dr = [
  { value: "omnibus", label: "Omnibus: several at once" },
  { value: "ece", label: "Calibration error in bins" },
  { value: "log-loss", label: "Log loss" },
  { value: "brier-score", label: "Brier score" },
  { value: "chi-square", label: "Chi-square" },
  { value: "spiegelhalter", label: "Spiegelhalter's Z" },
  { value: "hosmer-lemeshow", label: "Hosmer–Lemeshow" },
  { value: "cox", label: "Cox: slope and intercept" },
  { value: "kolmogorov-smirnov", label: "Kolmogorov–Smirnov" },
  { value: "kuiper", label: "Kuiper" },
  { value: "skce", label: "Kernel calibration error" }
], Va = [199, 999, 9999].map((e) => ({ value: String(e), label: e.toLocaleString("en") })), Sn = [
  { value: "overconfident", label: "Overconfident", size: 1.2, unit: "Temperature", hint: "Above 1: the probabilities are too sharp.", min: 1, max: 100, step: 0.05 },
  { value: "underconfident", label: "Underconfident", size: 0.8, unit: "Temperature", hint: "Below 1: the probabilities are too blunt.", min: 0.01, max: 1, step: 0.05 },
  { value: "shift", label: "Shifted probability", size: 0.05, unit: "Shift", hint: "The truth is that much higher; below 0 lower.", min: -1, max: 1, step: 0.01 },
  { value: "random-labels", label: "Random labels", size: 0.05, unit: "Share of rows", hint: "In this share the label says nothing.", min: 0, max: 1, step: 0.01 },
  { value: "ece", label: "True calibration error", size: 0.03, unit: "Error", hint: "Overconfidence of this size.", min: 0, max: 1, step: 0.01 }
], hr = (e) => Sn.find((t) => t.value === e) ?? Sn[0];
function Ga(e, t) {
  const n = t ?? e.positive;
  if (e.k === 2) {
    const l = e.classes.map((r) => r.name).find((r) => r !== n);
    return [
      { value: "", label: `Is it ${n}? (usual)` },
      { value: `one-vs-rest:${l}`, label: `Is it ${l}?` },
      { value: "top-label", label: "Is the likelier class right?" },
      { value: "classwise", label: "Both classes in turn" },
      { value: "joint", label: "Whole vectors" }
    ];
  }
  return [
    { value: "", label: "Is the most likely class right? (usual)" },
    ...e.classes.map((l) => ({ value: `one-vs-rest:${l.name}`, label: `Is it ${l.name}?` })),
    { value: "top-k:2", label: "Is it among the 2 most likely?" },
    ...e.k > 5 ? [{ value: "top-k:5", label: "Is it among the 5 most likely?" }] : [],
    { value: "classwise", label: "Every class in turn" },
    { value: "joint", label: "Whole vectors" }
  ];
}
const He = (e) => e === null || !["classwise", "joint"].includes(e), Ja = ({ question: e, compact: t }) => {
  const n = I(e, { delay: 120 });
  return /* @__PURE__ */ s(B, { of: n, what: "Measuring with few bins and many", children: (l) => /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s("p", { "data-name": "sensitivity-verdict", children: l.verdict }),
    /* @__PURE__ */ s("div", { class: "cal-side", children: l.schemes.map((r) => /* @__PURE__ */ s(Ka, { scheme: r, answer: l }, r.name)) }),
    !t && /* @__PURE__ */ s(A, { children: "Bins chosen after a look at this chart make any p-value worthless." })
  ] }) });
};
function Ka({ scheme: e, answer: t }) {
  const n = Float64Array.from(e.bins.keys()), l = Xn.find((i) => i.value === e.name)?.label ?? e.name, r = Math.max(...t.schemes.flatMap((i) => [...i.value, ...i.null_high].filter(Number.isFinite))), o = [
    { id: "true", name: "95 % range if true", color: 0, x: n, y: e.null_mean, low: e.null_low, high: e.null_high, muted: !0, dash: "dashed" },
    { id: "observed", name: "observed", color: 0, x: n, y: e.value, style: "line+points", dash: "solid" }
  ];
  return /* @__PURE__ */ s("figure", { children: [
    /* @__PURE__ */ s("figcaption", { children: l }),
    /* @__PURE__ */ s(
      se,
      {
        label: `Calibration error by number of bins: ${l}`,
        series: o,
        x: { title: "Number of bins", names: Array.from(e.bins, String) },
        y: { title: `Calibration error (${t.distance})`, domain: [0, 1.05 * r || 1] },
        height: 280
      }
    )
  ] });
}
const Qa = ({ question: e, compact: t }) => {
  const n = I(e, { delay: 120 });
  return /* @__PURE__ */ s(B, { of: n, what: "Testing calibration", children: (l) => /* @__PURE__ */ s(Xa, { answer: l, one: ur(l), compact: t ?? !1 }) });
};
function Xa({ answer: e, one: t, compact: n }) {
  return /* @__PURE__ */ s("div", { class: n ? "stack" : "cal-pair", children: [
    /* @__PURE__ */ s("div", { class: "cal-words", children: [
      /* @__PURE__ */ s("p", { class: "cal-headline", children: [
        /* @__PURE__ */ s("span", { class: "cal-big", children: [
          "p = ",
          /* @__PURE__ */ s(M, { value: t.p_value, name: "test-p" })
        ] }),
        t.model !== null && /* @__PURE__ */ s(_, { children: [
          " ",
          t.model
        ] })
      ] }),
      /* @__PURE__ */ s("p", { "data-name": "verdict", children: t.verdict }),
      t.finding && !t.verdict.includes(t.finding) && /* @__PURE__ */ s("p", { children: t.finding }),
      t.reason && /* @__PURE__ */ s(A, { children: [
        me(t.reason),
        "."
      ] }),
      t.notes.map((l) => /* @__PURE__ */ s(A, { children: l }, l)),
      !n && /* @__PURE__ */ s("dl", { class: "facts", children: [
        /* @__PURE__ */ s("dt", { children: "Test" }),
        /* @__PURE__ */ s("dd", { children: [
          e.title,
          ": ",
          e.formula
        ] }),
        /* @__PURE__ */ s("dt", { children: "View" }),
        /* @__PURE__ */ s("dd", { children: t.view }),
        /* @__PURE__ */ s("dt", { children: "Null" }),
        /* @__PURE__ */ s("dd", { children: t.method }),
        /* @__PURE__ */ s("dt", { children: "Source" }),
        /* @__PURE__ */ s("dd", { children: e.source })
      ] })
    ] }),
    /* @__PURE__ */ s("div", { children: [
      t.histogram ? /* @__PURE__ */ s(cr, { bars: t.histogram, title: me(t.statistic), label: `Null of the test ${t.statistic}`, draws: t.resamples }) : /* @__PURE__ */ s(A, { children: "Nothing had to be drawn: the p-value is computed from the predictions themselves." }),
      !n && e.models.length > 1 && /* @__PURE__ */ s(
        H,
        {
          caption: "The same test of every chosen model",
          rows: e.models,
          columns: [
            { title: "Model", value: (l) => l.model },
            { title: "Statistic", value: (l) => l.value },
            { title: "p", value: (l) => l.p_value }
          ]
        }
      )
    ] })
  ] });
}
const fr = {
  reliability: Wa,
  "calibration-test": Qa,
  diagnosis: ka,
  groups: $a,
  sensitivity: Ja,
  plan: Na,
  recalibration: Ra
};
function qt({ filename: e, mime: t, bytes: n }) {
  const l = URL.createObjectURL(new Blob([n], { type: t })), r = document.createElement("a");
  r.href = l, r.download = e, document.body.append(r), r.click(), r.remove(), setTimeout(() => URL.revokeObjectURL(l), 6e4);
}
const Ya = (e) => e.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60).replace(/-+$/, "") || "board";
function oe({ label: e, hint: t, children: n }) {
  const l = K();
  return /* @__PURE__ */ s("div", { class: "field", children: [
    /* @__PURE__ */ s("label", { for: l, children: e }),
    n(l),
    t && /* @__PURE__ */ s("small", { children: t })
  ] });
}
function O({ label: e, value: t, choices: n, onChange: l, hint: r }) {
  return /* @__PURE__ */ s(oe, { label: e, ...r ? { hint: r } : {}, children: (o) => /* @__PURE__ */ s("select", { id: o, value: t, onChange: (i) => l(i.currentTarget.value), children: n.map((i) => /* @__PURE__ */ s("option", { value: i.value, children: i.label }, i.value)) }) });
}
function Ae({ label: e, checked: t, onChange: n }) {
  return /* @__PURE__ */ s("label", { class: "check", children: [
    /* @__PURE__ */ s("input", { type: "checkbox", checked: t, onChange: (l) => n(l.currentTarget.checked) }),
    /* @__PURE__ */ s("span", { children: e })
  ] });
}
function J({ label: e, value: t, onChange: n, min: l, max: r, step: o, hint: i, live: a }) {
  const [c, u] = w(null);
  return /* @__PURE__ */ s(oe, { label: e, ...i ? { hint: i } : {}, children: (d) => /* @__PURE__ */ s(
    "input",
    {
      id: d,
      type: "number",
      value: c ?? t ?? "",
      min: l,
      max: r,
      step: o ?? "any",
      onInput: (f) => {
        u(f.currentTarget.value), a && n(f.currentTarget.value === "" ? null : f.currentTarget.valueAsNumber);
      },
      onBlur: () => u(null),
      onChange: (f) => {
        u(null), n(f.currentTarget.value === "" ? null : f.currentTarget.valueAsNumber);
      }
    }
  ) });
}
const Za = [
  { value: "at least", label: "at least the bound" },
  { value: "at most", label: "at most the bound" }
];
function ec({ question: e, name: t, done: n }) {
  const l = le(), [r, o] = w(null), [i, a] = w(null), c = { what: e, ...r ? { holds: r } : {}, ...i !== null ? { line: i } : {} }, u = I({ kind: "guard", ...c }), [d, f] = w(null), [h, m] = w(null), p = u.answer?.bound ?? null;
  L(() => f(p), [p]);
  const g = async () => {
    try {
      qt(await l.host.ask(l.table, { kind: "export", ...c, format: "pytest", title: t, bound: d })), n();
    } catch (b) {
      m(ce(b));
    }
  };
  return /* @__PURE__ */ s(B, { of: u, what: "Computing the number", children: (b) => /* @__PURE__ */ s(
    "form",
    {
      onSubmit: (y) => {
        y.preventDefault(), g();
      },
      children: [
        b.line !== null && /* @__PURE__ */ s(O, { label: "Whose number", value: b.line, choices: b.lines.map((y) => ({ value: y, label: y })), onChange: a }),
        /* @__PURE__ */ s("p", { children: [
          b.what,
          ": ",
          /* @__PURE__ */ s("data", { value: String(b.value), children: R(b.value) }),
          ".",
          !b.free && ` The test passes while it is ${b.holds} the bound.`
        ] }),
        b.free && /* @__PURE__ */ s(O, { label: "The test passes while it is", value: b.holds, choices: Za, onChange: (y) => o(y) }),
        /* @__PURE__ */ s(J, { label: "Bound", value: d, onChange: f, hint: b.why }),
        h && /* @__PURE__ */ s(te, { failure: h }),
        /* @__PURE__ */ s("button", { type: "submit", class: "primary", disabled: d === null, children: "Download test" })
      ]
    }
  ) });
}
const Hl = 8, tc = {
  svg: "SVG picture",
  png: "PNG picture",
  pdf: "PDF picture",
  csv: "CSV table",
  json: "JSON",
  html: "HTML page",
  py: "Python code",
  pytest: "Test that guards the number …"
};
function pe({ question: e, name: t }) {
  const n = k((f) => Fi(f, nt(e))), l = e.kind === "curve" && n !== null ? { ...e, threshold: n } : e, [r, o] = w(!1), [i, a] = w(!1), c = N(null), u = () => {
    o(!1), a(!1);
  }, d = N(null);
  return nc(d, r), L(() => {
    if (!r) return;
    const f = (h) => !c.current?.contains(h.target) && u();
    return document.addEventListener("pointerdown", f), () => document.removeEventListener("pointerdown", f);
  }, [r]), /* @__PURE__ */ s(
    "div",
    {
      class: "export",
      ref: c,
      onKeyDown: (f) => {
        f.key !== "Escape" || !r || (f.stopPropagation(), u(), c.current?.querySelector("button")?.focus());
      },
      children: [
        /* @__PURE__ */ s("button", { type: "button", "aria-expanded": r, "aria-label": `Export ${t}`, onClick: () => r ? u() : o(!0), children: "Export" }),
        r && /* @__PURE__ */ s("div", { class: "export-panel", ref: d, role: "group", "aria-label": `Export ${t} as`, children: i ? /* @__PURE__ */ s(ec, { question: l, name: t, done: u }) : /* @__PURE__ */ s(lc, { question: l, name: t, guard: () => a(!0) }) })
      ]
    }
  );
}
function nc(e, t) {
  ye(() => {
    const n = e.current, l = n?.closest(".plumbline");
    if (!n || !l) return;
    const r = () => {
      const { left: i, right: a } = n.getBoundingClientRect(), c = Number(n.dataset.moved ?? 0), u = l.getBoundingClientRect(), d = Math.min(u.right, window.innerWidth) - Hl, f = Math.min(0, Math.max(d - (a - c), u.left + Hl - (i - c)));
      n.dataset.moved = String(f), n.style.transform = `translateX(${f}px)`;
    };
    r();
    const o = new ResizeObserver(r);
    return o.observe(n), () => o.disconnect();
  }, [e, t]);
}
function lc({ question: e, name: t, guard: n }) {
  const l = I({ kind: "formats" }), { save: r, copy: o, busy: i, told: a, failure: c } = sc(e, t), u = N(null), d = l.answer?.formats[e.kind] ?? [];
  return L(() => u.current?.querySelector("button")?.focus(), [d.length]), l.error ? /* @__PURE__ */ s(te, { failure: l.error, retry: l.retry }) : l.answer && !d.length ? /* @__PURE__ */ s("p", { children: "There is nothing to export here." }) : /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("ul", { ref: u, children: [
      d.map((f) => /* @__PURE__ */ s("li", { children: /* @__PURE__ */ s("button", { type: "button", "aria-disabled": i, onClick: () => f === "pytest" ? n() : void r(f), children: tc[f] ?? f }) }, f)),
      d.includes("py") && /* @__PURE__ */ s("li", { children: /* @__PURE__ */ s("button", { type: "button", "aria-disabled": i, onClick: () => void o(), children: "Copy as Python" }) })
    ] }),
    !!e.y2 && /* @__PURE__ */ s("p", { class: "hint", children: "Files hold the first y; the second, on the right axis, is only drawn here." }),
    /* @__PURE__ */ s("p", { class: "hint", role: "status", children: i ? "Making the file …" : a }),
    c && /* @__PURE__ */ s(te, { failure: c })
  ] });
}
function sc(e, t) {
  const n = le(), [l, r] = w(!1), [o, i] = w(""), [a, c] = w(null), u = async (m) => await n.host.ask(n.table, { kind: "export", what: e, format: m, title: t }), d = async (m, p) => {
    if (!l) {
      r(!0), c(null), i("");
      try {
        i(await p(await u(m)));
      } catch (g) {
        c(ce(g));
      } finally {
        r(!1);
      }
    }
  };
  return { save: (m) => d(m, (p) => (qt(p), `Saved ${p.filename}.`)), copy: () => d("py", async (m) => (await navigator.clipboard.writeText(new TextDecoder().decode(m.bytes)), "Copied.")), busy: l, told: o, failure: a };
}
const mr = ["data", "curve", "reading", "calibration", "models", "matrix"], E = (e) => typeof e == "string", je = (e) => typeof e == "boolean", re = (e) => typeof e == "number" && Number.isFinite(e), Ee = (e) => Number.isSafeInteger(e) && e >= 0, P = (e) => (t) => t === null || e(t), ke = (...e) => (t) => e.includes(t), dn = (e) => (t) => Array.isArray(t) && t.every(e), hn = (e) => (t) => Array.isArray(t) && t.length === 2 && t.every(e), pr = (e) => e !== null && typeof e == "object" && !Array.isArray(e), zl = (e) => (t) => pr(t) && Object.values(t).every(e), Vl = (e) => (t) => pr(t) && Object.entries(e).every(([n, l]) => Object.hasOwn(t, n) && l(t[n])), rc = {
  data: { models: P(dn(E)), folds: P(dn(E)), where: E, weighted: je, target: P(E) },
  curve: {
    preset: P(E),
    x: P(E),
    y: P(E),
    y2: P(E),
    sort_by: P(E),
    direction: P(ke("descending", "ascending", "unsorted")),
    merge: P(ke("last", "average", "none")),
    average: P(ke("merge", "none", "vertical", "threshold", "smooth")),
    points: P(Ee),
    thresholds: P(Ee),
    span: P(re),
    band: ke("none", "folds", "bootstrap"),
    multiclass: P(ke("per-class", "micro", "macro")),
    x_title: P(E),
    y_title: P(E),
    params: zl(re),
    hull: je
  },
  reading: {
    optimum: P(ke("max", "min")),
    measure: P(E),
    subject_to: E,
    between: P(hn(re)),
    between_of: P(E),
    threshold_of: P(E),
    cases_of: P(E),
    difference: P(hn(E)),
    subgroups: P(E),
    iso_cost: P(Vl({ fp: re, fn: re }))
  },
  calibration: {
    model: P(E),
    view: P(E),
    scheme: E,
    bins: Ee,
    least: P(Ee),
    distance: E,
    resamples: Ee,
    others: je,
    statistic: E,
    open: dn(E),
    by: P(E),
    worst: je,
    effect: E,
    sizes: zl(re),
    power: re,
    level: re,
    n: P(Ee),
    planStatistic: E,
    datasets: P(Ee),
    method: E
  },
  models: {
    bins: E,
    view: E,
    ranges: P(je),
    metric: P(E),
    pair: P(hn(E)),
    test: P(E),
    over: E,
    groups: E,
    after: E,
    rope: P(re),
    test_share: P(re),
    adjust: E,
    level: re
  },
  matrix: {
    against: je,
    shares: ke("none", "actual", "predicted", "all"),
    interval: ke("auto", "wilson", "bootstrap", "none"),
    level: re,
    cell: P(Vl({ model: P(E), actual: E, predicted: E }))
  }
};
function Kt(e) {
  const t = new URLSearchParams();
  e.table && t.set("table", e.table), e.room !== ve.room && t.set("room", e.room), e.threshold !== null && t.set("threshold", String(e.threshold));
  for (const l of mr) {
    const r = oc(e[l], ve[l]);
    Object.keys(r).length && t.set(l, JSON.stringify(r));
  }
  const n = t.toString();
  return n ? `#${n}` : "";
}
function Qt(e) {
  const t = new URLSearchParams(e.replace(/^#/, "")), n = t.get("room"), l = t.has("threshold") ? Number(t.get("threshold")) : NaN, r = {
    ...ve,
    table: t.get("table"),
    room: n && qs.includes(n) ? n : ve.room,
    threshold: Number.isNaN(l) ? null : l
  };
  for (const o of mr) {
    const i = ic(t.get(o)), a = rc[o], c = Object.entries(i).filter(([u, d]) => Object.hasOwn(a, u) && a[u](d));
    Object.assign(r, { [o]: { ...ve[o], ...Object.fromEntries(c) } });
  }
  return r;
}
function oc(e, t) {
  const n = Object.entries(e).filter(([l, r]) => JSON.stringify(r) !== JSON.stringify(t[l]));
  return Object.fromEntries(n);
}
function ic(e) {
  try {
    const t = JSON.parse(e ?? "{}");
    return t !== null && typeof t == "object" && !Array.isArray(t) ? t : {};
  } catch {
    return {};
  }
}
const ht = 200;
function Xt() {
  return crypto.getRandomValues(new Uint32Array(2)).join("-");
}
function ac(e, t, n) {
  const l = Kt({ ...n, table: null });
  return { id: Xt(), title: t, note: "", question: e, from: l };
}
const cc = () => ({ id: Xt(), title: "Note", note: "", question: null, from: null }), uc = (e, t) => {
  const n = JSON.stringify(t);
  return e.some((l) => l.question !== null && JSON.stringify(l.question) === n);
}, dc = (e, t, n) => e.map((l) => l.id === t ? { ...l, ...n } : l), gr = (e, t) => e.filter((n) => n.id !== t);
function hc(e, t) {
  return e.flatMap((n) => n.id === t ? [n, { ...n, id: Xt(), title: `${n.title} (copy)` }] : [n]);
}
function fc(e, t, n) {
  const l = e.find((o) => o.id === t);
  if (!l || n < 0 || n >= e.length) return [...e];
  const r = gr(e, t);
  return [...r.slice(0, n), l, ...r.slice(n)];
}
function mc(e, t) {
  return { ...Qt(e.from ?? ""), table: t.table, board: t.board };
}
function ge({ question: e, title: t }) {
  const n = T(), l = k((o) => o.board.pins);
  if (uc(l, e))
    return /* @__PURE__ */ s("button", { type: "button", class: "pin", "aria-label": `${t}: show on the board`, onClick: () => n.go("board"), children: "On the board" });
  const r = l.length >= ht;
  return /* @__PURE__ */ s(
    "button",
    {
      type: "button",
      class: "pin",
      "aria-label": `Pin ${t} to the board`,
      disabled: r,
      ...r ? { title: `The board is full: ${ht} cards` } : {},
      onClick: () => n.edit("board", { pins: [...n.state.board.pins, ac(e, t, n.state)] }),
      children: "Pin"
    }
  );
}
const br = (e) => e.map(({ label: t, x: n, y: l, second: r }, o) => ({ id: `guide ${o}`, name: t ?? "", color: 0, x: n, y: l, guide: !0, ...r ? { dash: "dotted" } : {} })), pc = 2;
function gc(e) {
  const { y2: t, ...n } = e;
  if (typeof t != "string" || !t.trim()) return null;
  const l = { ...n.curve, y: t, y_title: null, band: "none" };
  return { ...n, kind: "curve", curve: l, hull: !1 };
}
function bc(e, t, n = null) {
  const l = e.x_names.length ? { names: e.x_names } : {}, r = e.scale === "normal-deviate" ? { scale: e.scale } : {}, o = Cn(e, n), i = t ? Cn(t).map((a) => ({ ...a, id: `right ${a.id}`, name: `${a.name ? `${a.name}: ` : ""}${t.y_title}`, color: a.color + (vc(e) ? 1 : 0), axis: "right", dash: "dashed" })) : [];
  return {
    label: e.title,
    series: [...o, ...kc(e), ...i, ...br(e.guides)],
    x: { title: e.x_title, ...l, ...r, ...Gl(e) },
    y: { title: e.y_title, ...r, ...Gl(e), ...e.floor === null ? {} : { floor: e.floor } },
    ...t ? { right: { title: t.y_title } } : {},
    square: e.square && t === null,
    marks: _c(e)
  };
}
const Gl = (e) => e.square ? { domain: [0, 1] } : {}, vc = (e) => new Set(e.lines.map(ft)).size === 1, ft = (e) => JSON.stringify([e.model, e.target]);
function Yn({ threshold: e, dropped: t }) {
  return Object.values(t).reduce((l, r) => l + r, 0) > (e.includes(1 / 0) ? 0 : 1);
}
function Cn(e, t = null) {
  const n = [...new Set(e.lines.map(ft))], l = e.settings.average === "none" && e.lines.length >= pc * n.length;
  return e.lines.map((r, o) => ({ line: r, color: n.indexOf(ft(r)), last: t?.[o] ?? Yn(r) })).filter(({ line: r }) => r.points > 0).map(({ line: r, color: o, last: i }) => ({
    id: r.name || "curve",
    name: r.name || e.title,
    color: o,
    x: r.x,
    y: r.y,
    threshold: r.threshold,
    style: yc(e),
    ...i ? { ends: !0 } : {},
    ...r.path ? { path: r.path } : {},
    ...l ? { thin: !0 } : {},
    ...wc(e, r),
    ...e.x_names.length && r.more.count ? { size: r.more.count } : {}
  }));
}
function yc(e) {
  return e.x_names.length ? "points" : e.settings.average === "threshold" ? "line+points" : e.shape === "step" && (e.settings.average === "merge" || e.settings.average === "none") ? "step" : "line";
}
function wc(e, t) {
  const { y_low: n, y_high: l, y_sd: r } = t.more;
  return n && l ? { low: n, high: l } : e.settings.band !== "folds" || !r ? {} : { low: t.y.map((o, i) => o - r[i]), high: t.y.map((o, i) => o + r[i]) };
}
function _c(e) {
  return e.settings.band !== "folds" ? [] : e.lines.flatMap((t) => {
    const n = t.more.x_sd;
    return n ? Array.from(t.x, (l, r) => ({ kind: "segment", x: [l - n[r], l + n[r]], y: [t.y[r], t.y[r]], dash: "solid" })).filter((l) => l.kind === "segment" && l.x.every(Number.isFinite) && l.x[0] < l.x[1]) : [];
  });
}
function kc(e) {
  const t = [...new Set(e.lines.map(ft))];
  return e.lines.flatMap(
    (n) => n.hull ? [{ id: `hull ${n.name}`, name: `hull${n.name ? ` of ${n.name}` : ""}`, color: t.indexOf(ft(n)), x: n.hull.x, y: n.hull.y, style: "line", dash: "dotted" }] : []
  );
}
const xc = (e) => `${R(e.points)} ${e.points === 1 ? "point" : "points"} of ${R(e.n)} rows`;
function vr({ answer: e, second: t, question: n, compact: l = !1, marks: r = [], between: o, usual: i, ends: a = null }) {
  const c = K(), u = e.lines.some((f) => f.points > 0), d = bc(e, t, a);
  return /* @__PURE__ */ s("figure", { class: "block curve-figure", "aria-labelledby": c, children: [
    /* @__PURE__ */ s("header", { children: [
      /* @__PURE__ */ s("div", { class: "curve-heads", children: [
        /* @__PURE__ */ s("h2", { id: c, children: e.title }),
        /* @__PURE__ */ s("p", { class: "hint", children: e.described })
      ] }),
      !l && /* @__PURE__ */ s("div", { class: "tools", children: [
        /* @__PURE__ */ s(ge, { question: n, title: e.title }),
        /* @__PURE__ */ s(pe, { question: n, name: e.title })
      ] })
    ] }),
    u ? /* @__PURE__ */ s(se, { ...d, marks: [...d.marks ?? [], ...r], cursor: !0, unit: nt(n), usual: i, ...o ? { between: o } : {}, ...l ? { table: !1, height: 260 } : {} }) : /* @__PURE__ */ s($c, { answer: e }),
    /* @__PURE__ */ s(Sc, { answer: e }),
    e.spread && /* @__PURE__ */ s("p", { class: "hint", children: Zn(e.spread) }),
    !l && /* @__PURE__ */ s(Cc, { answer: e, second: t }),
    !l && e.explanation && /* @__PURE__ */ s("details", { class: "curve-reading", children: [
      /* @__PURE__ */ s("summary", { children: "How to read it" }),
      /* @__PURE__ */ s("p", { children: e.explanation })
    ] })
  ] });
}
function $c({ answer: e }) {
  const t = [...new Set(e.lines.map((n) => n.reason ?? "no point is defined"))];
  return /* @__PURE__ */ s("div", { class: "empty", role: "status", children: [
    /* @__PURE__ */ s("strong", { children: "There is nothing to draw" }),
    t.map((n) => /* @__PURE__ */ s("p", { children: Zn(n) }, n))
  ] });
}
function Sc({ answer: e }) {
  const t = e.lines.filter((l) => l.area !== null);
  if (e.area_name === null || !t.length) return null;
  const n = e.area_name;
  if (t.length > 12) {
    const l = t.map((r) => r.area).sort((r, o) => r - o);
    return /* @__PURE__ */ s("p", { class: "areas", children: [
      n,
      " of ",
      D(t.length, "line"),
      ": ",
      /* @__PURE__ */ s(M, { value: l[0] }),
      " to ",
      /* @__PURE__ */ s(M, { value: l.at(-1) })
    ] });
  }
  return /* @__PURE__ */ s("ul", { class: "chips areas", "aria-label": n, children: t.map((l) => /* @__PURE__ */ s("li", { class: "chip", children: [
    /* @__PURE__ */ s("span", { children: l.name ? `${l.name}: ${n}` : n }),
    /* @__PURE__ */ s("strong", { children: /* @__PURE__ */ s(M, { value: l.area, name: n }) })
  ] }, l.name)) });
}
function Cc({ answer: e, second: t }) {
  const n = e.lines.some((a) => a.points > 0), l = n ? e.lines.filter((a) => a.points === 0) : [], r = e.lines.length === 1 && n ? [xc(e.lines[0])] : [], o = [e, ...t ? [t] : []].flatMap((a) => Object.entries(a.undefined)), i = [.../* @__PURE__ */ new Set([...e.notes, ...t?.notes ?? []])];
  return !r.length && !l.length && !o.length && !i.length ? null : /* @__PURE__ */ s("ul", { class: "hints curve-notes", "aria-label": "Notes on the curve", children: [
    r.map((a) => /* @__PURE__ */ s("li", { children: a }, a)),
    l.map((a) => /* @__PURE__ */ s("li", { class: "warning", children: [
      a.name,
      ": ",
      a.reason
    ] }, a.name)),
    o.map(([a, c]) => /* @__PURE__ */ s("li", { children: [
      D(c, "point"),
      " left out: ",
      a
    ] }, a)),
    i.map((a) => /* @__PURE__ */ s("li", { class: "warning", children: Zn(a) }, a))
  ] });
}
const Zn = (e) => /^[a-z][a-z]+ /.test(e) ? e[0].toUpperCase() + e.slice(1) : e, Tc = { variables: [], functions: [], presets: [] }, fn = /* @__PURE__ */ new WeakMap();
function pt() {
  const e = le(), [t, n] = w(Tc);
  return L(() => {
    let l = !0;
    const r = fn.get(e) ?? e.ask({ kind: "vocabulary" });
    return fn.set(e, r), r.then(
      (o) => l && n(o),
      () => fn.delete(e)
      // asked again by the next box; a formula can be typed without it
    ), () => {
      l = !1;
    };
  }, [e]), t;
}
function de(e) {
  const t = e.where.trim();
  return { ...e, where: t || null };
}
function Mc(e) {
  const { hull: t, y2: n, ...l } = e;
  return l;
}
function Ac(e, t) {
  return {
    kind: "curve",
    data: de(e.data),
    curve: Mc(e.curve),
    hull: e.curve.hull,
    width: t
  };
}
const yr = (e, t) => e.presets.find((n) => n.name === t.preset) ?? null;
function wr(e, t, n) {
  return {
    ...Un,
    preset: t,
    x: n,
    band: e.band === "bootstrap" ? "bootstrap" : "none",
    multiclass: e.multiclass === "macro" ? null : e.multiclass
  };
}
function Nc(e, t, n) {
  const l = e.x === null ? null : n.variables.find((o) => o.attribute && o.title === e.x)?.name ?? e.x, r = (o, i) => i === o ? null : i;
  return {
    ...e,
    preset: null,
    x: l ?? t.x ?? "threshold",
    y: e.y ?? t.y,
    x_title: e.x_title ?? (e.x === null ? t.x_title : null),
    y_title: e.y_title ?? (e.y === null ? t.y_title : null),
    sort_by: e.sort_by ?? t.sort_by,
    direction: e.direction ?? r("descending", t.direction),
    merge: e.merge ?? r("last", t.merge),
    average: e.average ?? r("merge", t.average)
  };
}
function Jl(e, t) {
  return e === "x" ? { x: t, x_title: null } : { y: t, y_title: null };
}
function Oc(e, t) {
  const n = e > 0 && e < 1, l = Math.abs(e) || 1;
  let r = e < 0 ? 3 * e : 0, o = n ? 1 : e < 0 ? 0 : Kl(4 * l);
  return e < 0 && (r = -Kl(4 * l)), e === 0 && ([r, o] = [-1, 1]), r = Math.min(r, t), o = Math.max(o, t), { low: r, high: o, step: 10 ** Math.floor(Math.log10((o - r) / 100)) };
}
function Kl(e) {
  const t = 10 ** Math.floor(Math.log10(e));
  return [1, 2, 5, 10].map((n) => n * t).find((n) => n >= e * (1 - 1e-9)) ?? 10 * t;
}
const Ql = ["none", "vertical", "threshold"], Ec = ["vertical", "threshold", "smooth"], Pc = 3e5;
function _r(e, t, n) {
  const l = e.band === "folds" ? "vertical" : null, r = n, o = e.average ?? Xl("merge", t?.average), i = o ?? l ?? r?.average ?? "merge";
  return {
    sort_by: e.sort_by ?? t?.sort_by ?? null,
    direction: e.direction ?? t?.direction ?? "descending",
    average: i,
    fixed: o !== null,
    merge: e.merge ?? Xl("last", t?.merge) ?? r?.merge ?? (i === "smooth" ? "none" : "last")
  };
}
const Xl = (e, t) => t === void 0 || t === e ? null : t;
function lt(e, t, n, l) {
  const r = {}, o = (i, a, c) => {
    a && !(i in r) && (r[i] = c);
  };
  if (e === "average")
    for (const i of Ql) o(i, l.folds.length === 0, "the table has no folds");
  if (e === "band") {
    o("bootstrap", Ql.includes(n.average), "it resamples the rows of one curve, and the folds are taken apart: merge the folds"), o("folds", l.folds.length === 0, "the table has no folds"), o("folds", n.fixed && !["vertical", "threshold"].includes(n.average), "it is the spread of averaged folds: average them, vertically or by threshold");
    for (const i of ["folds", "bootstrap"]) o(i, t.multiclass === "macro", "the mean over the classes has no band");
  }
  return e === "multiclass" && (o("macro", t.band !== "none", "it is a mean itself and has no band: take the band away"), o("macro", Ec.includes(n.average), "it is a mean itself, of the classes: merge the folds")), e === "direction" && o("unsorted", n.sort_by !== null, `the rows are sorted by ${n.sort_by}: empty that first`), r;
}
function Rc(e, t, n) {
  const l = {
    average: t.average,
    band: e.band,
    multiclass: e.multiclass ?? "",
    direction: t.direction
  }, r = {};
  for (const o of Object.keys(l)) {
    const i = lt(o, e, t, n)[l[o]];
    i && (r[o] = i);
  }
  return r;
}
const Ic = (e, t, n) => e.band === "bootstrap" || t.average === "smooth" && n > Pc, Lc = 1e3, Dc = 800;
function Fc(e) {
  const { y2: t } = e.curve;
  return { ...Ac(e, Dc), ...t?.trim() ? { y2: t } : {} };
}
function jc(e) {
  const t = le(), n = pt(), l = k((C) => C.data), r = k((C) => C.curve), o = Fc({ data: l, curve: r }), i = JSON.stringify(o), a = _r(r, yr(n, r)), c = Rc(r, a, e), u = Ic(r, a, e.n), [d, f] = w(i), h = N(null), m = N({ started: 0, last: 0, before: 0 }), p = t.known(Tn(o)) !== void 0, g = u || Math.min(m.current.last, m.current.before) > Lc && !h.current?.heavy, b = h.current !== null && h.current.key !== i && (Object.keys(c).length > 0 || g && d !== i && !p);
  !b && h.current?.key !== i && (h.current = { question: o, key: i, heavy: u });
  const y = h.current, v = I(Tn(y.question)), x = N(y.question);
  return v.answer !== null && !v.stale && (x.current = y.question), L(() => {
    m.current.started = performance.now();
  }, [y.key]), L(() => {
    if (v.busy || v.stale || v.error !== null) return;
    const { started: C, last: $ } = m.current;
    m.current = { started: C, last: performance.now() - C, before: $ };
  }, [v.busy, v.stale, v.answer]), { found: v, question: y.question, drawn: x.current, waiting: b && Object.keys(c).length === 0, compute: () => f(i), problem: c };
}
function Tn(e) {
  const { y2: t, ...n } = e;
  return n;
}
function Mn(e) {
  const t = gc(e), n = I(t), l = t === null ? null : n.answer;
  return { second: n, right: n.stale || n.error !== null ? null : l, last: l };
}
function qc({ question: e, compact: t }) {
  const n = I(Tn(e)), { right: l } = Mn(e);
  return /* @__PURE__ */ s(B, { of: n, what: "Drawing the curve", children: (r) => /* @__PURE__ */ s(vr, { answer: r, second: l, question: e, ...t ? { compact: t } : {} }) });
}
const Wc = { curve: qc }, Bc = 45;
function kr(e) {
  let t = 0, n = 0;
  return e.forEach(
    (l, r) => l.forEach((o, i) => {
      r === i ? t = Math.max(t, o || 0) : n = Math.max(n, o || 0);
    })
  ), { right: t, wrong: n };
}
function xr(e, t, n) {
  const l = t ? n.right : Math.max(n.wrong, n.right / 4);
  return l > 0 && e > 0 ? Math.sqrt(e / l) : 0;
}
const Uc = (e, t) => e === 0 ? "transparent" : `color-mix(in srgb, var(${t ? "--pl-point" : "--pl-gap"}) ${(6 + (Bc - 6) * e).toFixed(1)}%, var(--card))`, $r = (e) => e.shares ?? e.matrix, Hc = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
function zc({ entry: e, shares: t, picked: n, onPick: l, weighted: r }) {
  const [[o, i], a] = w([0, 0]), c = N(null), { classes: u } = e, d = $r(e), f = kr(d), h = (p) => {
    const g = Hc[p.key];
    if (!g) return;
    p.preventDefault();
    const b = u.length - 1, y = [Math.min(b, Math.max(0, o + g[0])), Math.min(b, Math.max(0, i + g[1]))];
    a(y), c.current?.querySelector(`[data-cell="${y[0]} ${y[1]}"]`)?.focus();
  }, m = t === "none";
  return /* @__PURE__ */ s("div", { class: "matrix-scroll", children: /* @__PURE__ */ s("table", { class: "cells", children: [
    /* @__PURE__ */ s("thead", { children: [
      /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("td", { class: "corner", rowSpan: 2, children: /* @__PURE__ */ s("span", { children: "Actual" }) }),
        /* @__PURE__ */ s("th", { scope: "colgroup", colSpan: u.length, class: "over", children: "Predicted" }),
        m && /* @__PURE__ */ s("td", { rowSpan: 2, class: "sum-head", children: r ? "Weight" : "Sum" })
      ] }),
      /* @__PURE__ */ s("tr", { children: u.map((p) => /* @__PURE__ */ s("th", { scope: "col", children: p }, p)) })
    ] }),
    /* @__PURE__ */ s("tbody", { ref: c, onKeyDown: h, children: [
      u.map((p, g) => /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("th", { scope: "row", children: p }),
        u.map((b, y) => {
          const v = d[g][y], x = e.matrix[g][y], C = g === y, $ = n?.actual === p && n.predicted === b, S = m ? /* @__PURE__ */ s(M, { value: v, name: "cell" }) : /* @__PURE__ */ s("data", { value: Number.isNaN(v) ? "" : String(v), children: ue(Number.isNaN(v) ? null : v) });
          return /* @__PURE__ */ s("td", { class: C ? "right" : "wrong", style: { background: Uc(xr(v, C, f), C) }, children: l ? /* @__PURE__ */ s(
            "button",
            {
              "data-cell": `${g} ${y}`,
              tabIndex: g === o && y === i ? 0 : -1,
              "aria-pressed": $,
              "aria-label": `Actual ${p}, predicted ${b}: ${R(x)}${m ? "" : `, ${ue(Number.isNaN(v) ? null : v)}`}`,
              onFocus: () => a([g, y]),
              onClick: () => l({ model: e.model, actual: p, predicted: b }),
              children: S
            }
          ) : /* @__PURE__ */ s("span", { class: "cell", children: S }) }, b);
        }),
        m && /* @__PURE__ */ s("td", { class: "sum", children: /* @__PURE__ */ s(M, { value: kt(e.matrix[g]) }) })
      ] }, p)),
      m && /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("th", { scope: "row", class: "sum", children: "Sum" }),
        u.map((p, g) => /* @__PURE__ */ s("td", { class: "sum", children: /* @__PURE__ */ s(M, { value: kt(e.matrix.map((b) => b[g])) }) }, p)),
        /* @__PURE__ */ s("td", { class: "sum", children: /* @__PURE__ */ s(M, { value: kt(e.matrix.map(kt)) }) })
      ] })
    ] })
  ] }) });
}
const kt = (e) => Array.from(e).reduce((t, n) => t + n, 0), Vc = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }, st = 480;
function Gc({ entry: e, shares: t, picked: n, onPick: l, weighted: r }) {
  const [o, i] = w(() => Jc(e)), [a, c] = [Math.min(o[0], e.classes.length - 1), Math.min(o[1], e.classes.length - 1)], { classes: u } = e, d = (h, m) => l?.({ model: e.model, actual: u[h], predicted: u[m] }), f = (h) => {
    const m = Vc[h.key];
    if (m) {
      const p = (g) => Math.min(u.length - 1, Math.max(0, g));
      i([p(a + m[0]), p(c + m[1])]);
    } else if (h.key === "Enter" || h.key === " ") d(a, c);
    else return;
    h.preventDefault();
  };
  return /* @__PURE__ */ s("div", { class: "heat", children: [
    /* @__PURE__ */ s("div", { class: "heat-map", role: "group", "aria-label": `Heat map of ${u.length} classes; arrow keys move, Enter lists the rows`, tabIndex: 0, onKeyDown: f, children: [
      /* @__PURE__ */ s("span", { class: "heat-axis", children: "Predicted →" }),
      /* @__PURE__ */ s(Qc, { entry: e, at: [a, c], picked: n, onAt: (h, m) => i([h, m]), onPick: d }),
      /* @__PURE__ */ s("span", { class: "heat-axis", children: "Actual ↓, top to bottom; blue is right, orange is wrong" })
    ] }),
    /* @__PURE__ */ s("div", { class: "heat-side", children: [
      /* @__PURE__ */ s("p", { class: "heat-told", "aria-live": "polite", children: [
        "Actual ",
        /* @__PURE__ */ s("strong", { children: u[a] }),
        ", predicted ",
        /* @__PURE__ */ s("strong", { children: u[c] }),
        ": ",
        /* @__PURE__ */ s(M, { value: e.matrix[a][c], name: "cell" }),
        t !== "none" && ` (${ue(Kc(e.shares?.[a][c]))})`
      ] }),
      /* @__PURE__ */ s("div", { class: "controls", children: [
        /* @__PURE__ */ s(O, { label: "Actual class", value: String(a), choices: u.map((h, m) => ({ value: String(m), label: h })), onChange: (h) => i([Number(h), c]) }),
        /* @__PURE__ */ s(O, { label: "Predicted class", value: String(c), choices: u.map((h, m) => ({ value: String(m), label: h })), onChange: (h) => i([a, Number(h)]) }),
        l && /* @__PURE__ */ s("button", { onClick: () => d(a, c), children: "List its rows" })
      ] }),
      /* @__PURE__ */ s(
        H,
        {
          caption: "Most often confused",
          columns: [
            { title: "Actual", value: (h) => h.actual },
            { title: "Predicted", value: (h) => h.predicted },
            { title: r ? "Weight" : "Rows", value: (h) => h.count },
            { title: "Share of the actual class", value: (h) => ue(h.share) },
            ...l ? [{ title: "Look at them", value: (h) => /* @__PURE__ */ s("button", { "aria-label": `Rows of ${h.actual} taken for ${h.predicted}`, onClick: () => l({ model: e.model, actual: h.actual, predicted: h.predicted }), children: "Rows" }) }] : []
          ],
          rows: e.confused
        }
      )
    ] })
  ] });
}
function Jc({ classes: e, confused: t }) {
  const [n] = t;
  return n ? [e.indexOf(n.actual), e.indexOf(n.predicted)] : [0, 0];
}
const Kc = (e) => e === void 0 || Number.isNaN(e) ? null : e;
function Qc({ entry: e, at: t, picked: n, onAt: l, onPick: r }) {
  const o = N(null), { classes: i } = e, a = Xc(o);
  L(() => Yc(o.current, e, t, n), [e, t[0], t[1], n, a]);
  const c = (u) => {
    const d = o.current.getBoundingClientRect(), f = (h, m) => Math.min(i.length - 1, Math.max(0, Math.floor(h / m * i.length)));
    return [f(u.clientY - d.top, d.height), f(u.clientX - d.left, d.width)];
  };
  return /* @__PURE__ */ s(
    "canvas",
    {
      ref: o,
      width: st * 2,
      height: st * 2,
      onPointerMove: (u) => l(...c(u)),
      onClick: (u) => {
        l(...c(u)), r(...c(u));
      }
    }
  );
}
function Xc(e) {
  const [t, n] = w("");
  return L(() => {
    const l = e.current?.closest(".plumbline");
    if (!l) return;
    const r = () => n(l.getAttribute("data-theme") ?? "");
    r();
    const o = new MutationObserver(r);
    return o.observe(l, { attributes: !0, attributeFilter: ["data-theme"] }), () => o.disconnect();
  }, []), t;
}
function Yc(e, t, n, l) {
  const r = e.getContext("2d");
  if (!r) return;
  const o = getComputedStyle(e), i = (f) => o.getPropertyValue(f).trim(), a = $r(t), c = kr(a), { classes: u } = t, d = st * 2 / u.length;
  r.globalAlpha = 1, r.fillStyle = i("--soft"), r.fillRect(0, 0, st * 2, st * 2), a.forEach(
    (f, h) => f.forEach((m, p) => {
      const g = xr(m, h === p, c);
      g === 0 && h !== p || (r.globalAlpha = g === 0 ? 0.08 : 0.15 + 0.85 * g, r.fillStyle = i(h === p ? "--pl-point" : "--pl-gap"), r.fillRect(p * d, h * d, Math.max(1, d), Math.max(1, d)));
    })
  ), r.globalAlpha = 1, Yl(r, n[0], n[1], d, i("--ink"), 2), l && Yl(r, u.indexOf(l.actual), u.indexOf(l.predicted), d, i("--accent"), 4);
}
function Yl(e, t, n, l, r, o) {
  e.strokeStyle = r, e.lineWidth = o, e.strokeRect(n * l, t * l, l, l);
}
function Zc({ entry: e, weighted: t, compact: n }) {
  const l = e.rates.filter((r) => r.kind === "all");
  return /* @__PURE__ */ s("div", { class: "rates", children: [
    /* @__PURE__ */ s(lu, { rates: e.rates.filter((r) => r.kind !== "all") }),
    /* @__PURE__ */ s(H, { caption: "Of the whole table", columns: nu(Sr(e), t), rows: l }),
    !n && /* @__PURE__ */ s(Cr, { entries: [e] })
  ] });
}
function eu({ entries: e, weighted: t, compact: n }) {
  const [l] = e;
  if (!l) return null;
  const r = Sr(l), o = `Rates; the positive class is ${l.positive}; below each ${r ? `its ${r}, and ` : ""}${t ? "the effective number of rows it is a share of: so many of equal weight tell as much" : "the rows it is a share of"}`, i = (a, c) => a.rates.find((u) => u.name === c);
  return /* @__PURE__ */ s("div", { class: "rates", children: [
    /* @__PURE__ */ s(
      H,
      {
        caption: o,
        columns: [
          { title: "Rate", value: (a) => /* @__PURE__ */ s("span", { title: a.aliases.join(", "), children: a.title }) },
          ...e.map((a) => ({ title: a.model ?? "Value", value: (c) => /* @__PURE__ */ s(tu, { rate: i(a, c.name), interval: r !== null }) }))
        ],
        rows: l.rates
      }
    ),
    !n && /* @__PURE__ */ s(Cr, { entries: e })
  ] });
}
const Sr = (e) => e.interval && e.level !== null ? `${100 * e.level} % interval` : null;
function tu({ rate: e, interval: t }) {
  return /* @__PURE__ */ s("span", { class: "rate", children: [
    /* @__PURE__ */ s(M, { value: e.value, digits: 3, name: e.name }),
    /* @__PURE__ */ s("small", { children: [
      t && e.low !== null && /* @__PURE__ */ s(_, { children: [
        /* @__PURE__ */ s(el, { rate: e }),
        "; "
      ] }),
      "of ",
      /* @__PURE__ */ s(M, { value: e.n })
    ] })
  ] });
}
function nu(e, t) {
  return [
    { title: "Rate", value: (n) => /* @__PURE__ */ s("span", { title: n.aliases.join(", "), children: n.title }) },
    { title: "Value", value: (n) => /* @__PURE__ */ s(M, { value: n.value, digits: 3, name: n.name }) },
    ...e ? [{ title: e, value: (n) => /* @__PURE__ */ s(el, { rate: n }) }] : [],
    { title: t ? "Effective rows" : "Rows", value: (n) => /* @__PURE__ */ s(M, { value: n.n }) }
  ];
}
function el({ rate: e }) {
  return e.low === null || e.high === null ? /* @__PURE__ */ s(_, { children: "–" }) : /* @__PURE__ */ s("span", { class: "span", children: [
    /* @__PURE__ */ s(M, { value: e.low, digits: 3 }),
    " to ",
    /* @__PURE__ */ s(M, { value: e.high, digits: 3 })
  ] });
}
function lu({ rates: e }) {
  const t = [...new Map(e.map((l) => [l.name, l.title]))], n = /* @__PURE__ */ new Map();
  for (const l of e) {
    const r = `${l.kind} ${l.group}`;
    n.set(r, (n.get(r) ?? /* @__PURE__ */ new Map()).set(l.name, l));
  }
  return /* @__PURE__ */ s("div", { class: "rates-scroll", children: /* @__PURE__ */ s(
    H,
    {
      caption: "Every class against the rest",
      columns: [
        { title: "Class", value: ([, l]) => su([...l.values()][0]) },
        ...t.map(([l, r]) => ({
          title: r,
          value: ([, o]) => {
            const i = o.get(l);
            return i ? /* @__PURE__ */ s(_, { children: [
              /* @__PURE__ */ s(M, { value: i.value, digits: 3, name: l }),
              " ",
              i.low !== null && /* @__PURE__ */ s("small", { children: /* @__PURE__ */ s(el, { rate: i }) })
            ] }) : null;
          }
        }))
      ],
      rows: [...n].sort((l, r) => Zl(r) - Zl(l))
    }
  ) });
}
const Zl = ([, e]) => +([...e.values()][0].kind !== "class"), su = (e) => e.kind === "class" ? e.group : /* @__PURE__ */ s("em", { children: `${e.kind} average` }), mn = 5;
function Cr({ entries: e }) {
  const t = e.some((o) => o.interval === "wilson"), l = e.flatMap((o) => o.rates.map((i) => ({ ...i, model: e.length > 1 ? o.model : null }))).filter((o) => o.reason && (o.value === null || !t)), r = [...new Set(l.map((o) => `${o.model === null ? "" : `${o.model}, `}${o.title}${o.kind === "class" ? ` of ${o.group}` : ""}: ${o.reason}`))];
  return /* @__PURE__ */ s(_, { children: [
    t && /* @__PURE__ */ s(A, { children: "Wilson's interval is of shares of rows; the bootstrap gives one of every rate." }),
    r.slice(0, mn).map((o) => /* @__PURE__ */ s(A, { children: [
      o,
      "."
    ] }, o)),
    r.length > mn && /* @__PURE__ */ s(A, { children: `… and ${r.length - mn} more that are missing.` })
  ] });
}
const ru = 24;
function Tr({ answer: e, shares: t, picked: n, onPick: l, compact: r = !1 }) {
  const o = e.results.every((i) => i.classes.length === 2);
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("div", { class: o ? "matrices" : "matrices wide", children: e.results.map((i) => /* @__PURE__ */ s(
      ou,
      {
        entry: i,
        shares: t,
        picked: n && (n.model ?? null) === i.model ? n : null,
        ...l ? { onPick: l } : {},
        rates: !o,
        weighted: e.weighted,
        compact: r
      },
      i.model ?? ""
    )) }),
    o && /* @__PURE__ */ s(eu, { entries: e.results, weighted: e.weighted, compact: r })
  ] });
}
function ou({ entry: e, shares: t, picked: n, onPick: l, weighted: r, rates: o, compact: i }) {
  const a = e.classes.length > ru ? Gc : zc;
  return /* @__PURE__ */ s("article", { class: "matrix", "aria-label": e.model ?? "Confusion matrix", children: [
    e.model !== null && /* @__PURE__ */ s("h3", { children: e.model }),
    /* @__PURE__ */ s("p", { class: "decision", children: [
      /* @__PURE__ */ s(M, { value: e.n }),
      " rows, answered by ",
      e.decision,
      r && /* @__PURE__ */ s(_, { children: [
        "; counted by their weights, which tell as much as ",
        /* @__PURE__ */ s(M, { value: e.effective_n, name: "effective-n" }),
        " rows of equal weight"
      ] })
    ] }),
    /* @__PURE__ */ s(a, { entry: e, shares: t, picked: n, weighted: r, ...l ? { onPick: l } : {} }),
    o && /* @__PURE__ */ s(Zc, { entry: e, weighted: r, compact: i })
  ] });
}
function iu({ question: e, compact: t }) {
  const n = I(e);
  return /* @__PURE__ */ s(B, { of: n, what: "Counting", children: (l) => /* @__PURE__ */ s(Tr, { answer: l, shares: e.normalize ?? "none", ...t ? { compact: t } : {} }) });
}
const au = { confusion: iu }, gt = (e) => e.charAt(0).toUpperCase() + e.slice(1), Mr = (e) => `${e[0]} − ${e[1]}`;
function cu({ answer: e, rows: t, best: n = {}, compact: l = !1 }) {
  const r = e.metrics.filter((a) => e.results.some((c) => Ar(c, a.name))), o = e.results.some((a) => a.model !== null), i = e.results.some((a) => Math.abs(a.effective_n - a.n) > 0.5);
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Scores", children: /* @__PURE__ */ s("table", { class: "scores", children: [
      /* @__PURE__ */ s("caption", { children: uu(e, t) }),
      /* @__PURE__ */ s("thead", { children: /* @__PURE__ */ s("tr", { children: [
        o && /* @__PURE__ */ s("th", { scope: "col", children: "Model" }),
        /* @__PURE__ */ s("th", { scope: "col", class: "number", children: "Rows" }),
        i && /* @__PURE__ */ s("th", { scope: "col", class: "number", children: "Effective rows" }),
        r.map((a) => /* @__PURE__ */ s("th", { scope: "col", class: "number", title: a.formula, children: [
          gt(a.title),
          /* @__PURE__ */ s("small", { children: a.best })
        ] }, a.name))
      ] }) }),
      /* @__PURE__ */ s("tbody", { children: e.results.map((a) => /* @__PURE__ */ s("tr", { children: [
        o && /* @__PURE__ */ s("th", { scope: "row", children: a.model }),
        /* @__PURE__ */ s("td", { class: "number", children: /* @__PURE__ */ s(M, { value: a.n }) }),
        i && /* @__PURE__ */ s("td", { class: "number", children: /* @__PURE__ */ s(M, { value: a.effective_n }) }),
        r.map((c) => /* @__PURE__ */ s(du, { metric: c, line: a, best: a.model !== null && n[c.name] === a.model }, c.name))
      ] }, a.model ?? "")) })
    ] }) }),
    /* @__PURE__ */ s(mu, { answer: e }),
    !l && e.results.some((a) => a.folds > 1) && /* @__PURE__ */ s(gu, { answer: e })
  ] });
}
const Ar = (e, t) => e.metrics.find((n) => n.metric === t);
function uu(e, t) {
  const n = e.results.some((l) => l.roc_auc?.interval_range) ? ` ${100 * e.level} %: the interval of the area under the ROC curve.` : "";
  return e.resamples ? `Of ${t} of each model. If true: where the number lies in 95 % of ${e.resamples} draws of the labels from the probabilities.${n}` : `Of ${t} of each model.${n}`;
}
function du({ metric: e, line: t, best: n }) {
  const l = Ar(t, e.name);
  if (!l) return /* @__PURE__ */ s("td", { class: "number", children: "–" });
  const r = e.name === "roc-auc" ? t.roc_auc?.interval_range : null;
  return /* @__PURE__ */ s("td", { class: "number score", title: l.reason, children: [
    /* @__PURE__ */ s(M, { value: hu(l), name: e.name }),
    n && /* @__PURE__ */ s("span", { class: "best-mark", children: "best" }),
    r && /* @__PURE__ */ s(An, { span: r, label: `${100 * t.roc_auc.level} %:` }),
    l.null_range && /* @__PURE__ */ s(An, { span: l.null_range, label: "if true:" }),
    l.null_range && /* @__PURE__ */ s(fu, { value: l.value, span: l.null_range })
  ] });
}
const hu = (e) => e.value === null && e.reason?.startsWith("infinite:") ? 1 / 0 : e.value;
function An({ span: e, label: t }) {
  return e[0] === null || e[1] === null ? null : /* @__PURE__ */ s("small", { class: "span", children: [
    t && `${t} `,
    /* @__PURE__ */ s(M, { value: e[0], digits: 3 }),
    " to ",
    /* @__PURE__ */ s(M, { value: e[1], digits: 3 })
  ] });
}
function fu({ value: e, span: t }) {
  return e === null || t[0] === null || t[1] === null ? null : e > t[1] ? /* @__PURE__ */ s("small", { class: "beyond", children: "▲ above that range" }) : e < t[0] ? /* @__PURE__ */ s("small", { class: "beyond", children: "▼ below that range" }) : null;
}
function mu({ answer: e }) {
  const t = /* @__PURE__ */ new Map(), n = (l, r) => {
    l && t.set(l, (t.get(l) ?? /* @__PURE__ */ new Set()).add(r));
  };
  for (const l of e.results) {
    const r = l.model === null ? "" : `${l.model}, `;
    for (const o of l.metrics) n(o.reason, o.value === null && !o.view ? es(e, o.metric) : `${r}${es(e, o.metric)}`);
    n(l.roc_auc?.reason, "interval of the area under the ROC curve");
  }
  return /* @__PURE__ */ s(_, { children: [...t].map(([l, r]) => /* @__PURE__ */ s(A, { children: `${gt([...r].join("; "))}: ${l}.`.replace("..", ".") }, l)) });
}
const es = (e, t) => e.metrics.find((n) => n.name === t)?.title ?? t, pu = [
  ["log_loss", "Log loss"],
  ["brier_score", "Brier score"],
  ["accuracy", "Accuracy"]
];
function gu({ answer: e }) {
  const t = pu.filter(([n]) => e.results.some((l) => `${n}_fold_mean` in l));
  return t.length ? /* @__PURE__ */ s("details", { class: "over-folds", children: [
    /* @__PURE__ */ s("summary", { children: "Mean over the folds" }),
    /* @__PURE__ */ s("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Mean over the folds", children: /* @__PURE__ */ s("table", { class: "scores", children: [
      /* @__PURE__ */ s("caption", { children: "Mean of the folds' own scores, and their standard deviation; the folds share training rows, so this is no standard error." }),
      /* @__PURE__ */ s("thead", { children: /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("th", { scope: "col", children: "Model" }),
        /* @__PURE__ */ s("th", { scope: "col", class: "number", children: "Folds" }),
        t.map(([n, l]) => /* @__PURE__ */ s("th", { scope: "col", class: "number", children: l }, n))
      ] }) }),
      /* @__PURE__ */ s("tbody", { children: e.results.map((n) => /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("th", { scope: "row", children: n.model ?? "–" }),
        /* @__PURE__ */ s("td", { class: "number", children: /* @__PURE__ */ s(M, { value: n.folds }) }),
        t.map(([l]) => /* @__PURE__ */ s("td", { class: "number", children: [
          /* @__PURE__ */ s(M, { value: n[`${l}_fold_mean`] }),
          " ",
          /* @__PURE__ */ s("small", { children: [
            "± ",
            /* @__PURE__ */ s(M, { value: n[`${l}_fold_deviation`], digits: 3 })
          ] })
        ] }, l))
      ] }, n.model ?? "")) })
    ] }) })
  ] }) : null;
}
function Nr({ answer: e, title: t, compact: n = !1 }) {
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("ul", { class: "verdicts", children: e.pairs.map((l) => /* @__PURE__ */ s("li", { class: l.better === null ? "open" : "shown", children: l.verdict }, `${Mr(l.models)} ${l.after ?? ""}`)) }),
    /* @__PURE__ */ s(vu, { answer: e, title: t }),
    /* @__PURE__ */ s(H, { caption: `Differences of the ${t}`, columns: yu(e), rows: e.pairs }),
    Object.entries(e.ranks).map(([l, r]) => /* @__PURE__ */ s(wu, { name: l, ranks: r, level: e.level }, l)),
    !n && /* @__PURE__ */ s(xu, { answer: e })
  ] });
}
const bu = (e) => Mr(e.models) + (e.after ? `, after ${e.after}` : "");
function vu({ answer: e, title: t }) {
  const n = e.pairs.filter((r) => r.difference !== null);
  if (!n.length) return null;
  const l = (r, o, i) => i.length ? [
    {
      id: r,
      name: r,
      color: o,
      style: "points",
      x: Float64Array.from(i, (a) => n.indexOf(a)),
      y: Float64Array.from(i, (a) => a.difference),
      low: Float64Array.from(i, (a) => a.interval_range[0] ?? NaN),
      high: Float64Array.from(i, (a) => a.interval_range[1] ?? NaN)
    }
  ] : [];
  return /* @__PURE__ */ s(
    se,
    {
      label: `Differences of the ${t} with ${100 * e.level} % intervals`,
      x: { title: "Pair of models", names: n.map(bu) },
      y: { title: `Difference of the ${t}` },
      series: [
        ...l("a difference is shown", 0, n.filter((r) => r.better !== null)),
        ...l("no difference is shown", 1, n.filter((r) => r.better === null))
      ],
      marks: [{ kind: "rule", axis: "y", at: 0, label: "no difference" }],
      height: 300,
      legend: !0,
      table: !1
    }
  );
}
function yu(e) {
  const t = e.pairs.some((l) => l.after !== null), n = e.pairs.some((l) => l.posterior !== null);
  return [
    { title: "Model", value: (l) => l.models[0] },
    { title: "Other", value: (l) => l.models[1] },
    ...t ? [{ title: "After", value: (l) => l.after ?? "as they are" }] : [],
    { title: "Its value", value: (l) => l.values[0] },
    { title: "The other's", value: (l) => l.values[1] },
    { title: "Difference", name: "difference", value: (l) => l.difference },
    { title: `${100 * e.level} % interval`, value: (l) => l.interval_range[0] === null ? null : /* @__PURE__ */ s(An, { span: l.interval_range }) },
    { title: "p", name: "p_value", value: (l) => l.p_value },
    ...e.pairs.length > 1 && e.adjust ? [{ title: "Adjusted p", value: (l) => l.adjusted_p_value }] : [],
    ...n ? [{ title: "Probability of practical equality", value: (l) => l.posterior?.practically_equal ?? null }] : [],
    { title: "Better", value: (l) => l.better ?? "not shown" }
  ];
}
function wu({ name: e, ranks: t, level: n }) {
  const l = t.models.map((o, i) => ({ model: o, rank: t.average_ranks[i] })).sort((o, i) => o.rank - i.rank), r = (t.critical_difference ?? NaN) / 2;
  return /* @__PURE__ */ s("section", { class: "ranks", children: [
    /* @__PURE__ */ s("h3", { children: [
      "Ranks over ",
      t.n,
      " data sets"
    ] }),
    /* @__PURE__ */ s(
      se,
      {
        label: `Average ranks by ${e}`,
        x: { title: "Model", names: l.map((o) => o.model) },
        y: { title: "Average rank, 1 is best", zero: !1 },
        series: [
          {
            id: "ranks",
            name: "rank ± half the critical difference",
            color: 0,
            style: "points",
            x: Float64Array.from(l, (o, i) => i),
            y: Float64Array.from(l, (o) => o.rank),
            low: Float64Array.from(l, (o) => o.rank - r),
            high: Float64Array.from(l, (o) => o.rank + r)
          }
        ],
        height: 280,
        legend: !0,
        table: !1
      }
    ),
    /* @__PURE__ */ s(
      H,
      {
        caption: "Average ranks",
        columns: [
          { title: "Model", value: (o) => o.model },
          { title: "Average rank", value: (o) => o.rank }
        ],
        rows: l
      }
    ),
    /* @__PURE__ */ s("p", { children: [
      `Friedman's test of all models: p = ${pn(t.p_value)} (${t.method}). `,
      t.critical_difference !== null && `Models whose average ranks are less than ${pn(t.critical_difference)} apart are not told apart at the level ${pn(1 - n)} (Nemenyi): ${t.groups.map((o) => o.join(", ")).join("; ") || "none"}.`
    ] }),
    t.reason && /* @__PURE__ */ s(A, { children: t.reason })
  ] });
}
const _u = [
  [/\bwith test_share\b/g, "under More settings"],
  [/\bwith groups\b/g, "with Rows belong together by"],
  [/\bwith target\b/g, "as the positive class in the data panel"],
  [/\bover=/g, "data sets by "]
], ku = (e) => gt(_u.reduce((t, [n, l]) => t.replace(n, l), e)), pn = (e) => e === null ? "–" : String(Number(e.toPrecision(3)));
function xu({ answer: e }) {
  return /* @__PURE__ */ s("section", { class: "why", children: [
    /* @__PURE__ */ s("h3", { children: "The test, and why this one" }),
    /* @__PURE__ */ s("p", { children: e.why }),
    e.tests.filter((t) => t.answer !== "fits").map((t) => /* @__PURE__ */ s("p", { class: "warned", children: `${t.title} is too optimistic here: ${t.why}` }, t.name)),
    e.remarks.length > 0 && /* @__PURE__ */ s("ul", { class: "hints", children: e.remarks.map((t) => /* @__PURE__ */ s("li", { children: ku(t) }, t)) })
  ] });
}
const $u = 999, Or = 2e5, Er = (e, t) => e.models.ranges ?? t.n <= Or;
function Su(e, t) {
  const { bins: n, view: l, level: r } = e.models;
  return {
    kind: "scores",
    data: de(e.data),
    ...n ? { bins: n } : {},
    ...l ? { view: l } : {},
    level: r,
    resamples: Er(e, t) ? $u : 0
  };
}
function Cu(e) {
  const { where: t, folds: n } = e.data;
  return t && n ? "the rows that folds and filter leave" : t ? "the rows that the filter leaves" : n ? "the rows of the chosen folds" : "all rows";
}
function Tu(e, t, n) {
  const { metric: l, pair: r, test: o, over: i, groups: a, after: c, rope: u, test_share: d, adjust: f, level: h } = e.models, m = n > 2 && t ? e.data.target : null;
  return {
    kind: "compare",
    data: de(e.data),
    ...l ? { metric: l } : {},
    ...r ? { models: r } : {},
    ...o ? { test: o } : {},
    ...i ? { over: i } : {},
    ...a ? { groups: a } : {},
    ...c ? { after: c } : {},
    ...u !== null ? { rope: u } : {},
    ...d !== null ? { test_share: d } : {},
    ...m ? { target: m } : {},
    adjust: f,
    level: h
  };
}
const Mu = (e) => ({
  kind: "comparable",
  data: de(e.data),
  ...e.models.over ? { over: e.models.over } : {}
});
function Au(e) {
  const t = {};
  for (const n of new Set(e.pairs.map((l) => l.metric))) {
    const l = e.pairs.filter((o) => o.metric === n && !o.after), r = e.models.find((o) => {
      const i = l.filter((a) => a.models.includes(o));
      return i.length === e.models.length - 1 && i.every((a) => a.better === o);
    });
    r !== void 0 && (t[n] = r);
  }
  return t;
}
function Pr({ question: e, best: t, compact: n }) {
  const l = I({ ...e, resamples: 0 }), r = I(e.resamples ? e : null), o = e.resamples && r.answer && !r.stale && !r.error ? r : l, i = !!e.resamples && l.answer !== null;
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s(B, { of: o, what: "Scoring the models", children: (a) => /* @__PURE__ */ s(cu, { answer: a, rows: Cu(e), ...t ? { best: t } : {}, ...n ? { compact: n } : {} }) }),
    i && r.busy && /* @__PURE__ */ s(mt, { what: "Drawing labels from the probabilities", progress: r.progress, cancel: r.cancel }),
    i && r.error && /* @__PURE__ */ s(te, { failure: r.error, retry: r.retry })
  ] });
}
function Nu({ question: e, compact: t }) {
  const n = I(e), l = I({ kind: "comparable", data: e.data, ...e.over ? { over: e.over } : {} }), r = (o) => l.answer?.metrics.find((i) => i.name === o.pairs[0]?.metric)?.title ?? o.pairs[0]?.metric ?? "values";
  return /* @__PURE__ */ s(B, { of: n, what: "Comparing the models", children: (o) => /* @__PURE__ */ s(Nr, { answer: o, title: r(o), ...t ? { compact: t } : {} }) });
}
const Ou = { scores: Pr, compare: Nu }, we = (e) => e === "inf" ? 1 / 0 : e === "-inf" ? -1 / 0 : e ?? null, Nn = (e) => e === 1 / 0 ? "inf" : e === -1 / 0 ? "-inf" : e;
function Eu(e, t, n) {
  const l = t.data ?? {};
  return { answer: e, data: l, unit: Jn(e.settings.sort_by, l.target), models: l.models ?? n.models };
}
const Ge = ({ answer: e, data: t }) => ({ data: t, curve: { ...e.settings, band: "none" } }), Pu = (e, t) => ({ kind: "reading", ...Ge(e), threshold: Nn(t) });
function tl(e, t) {
  return t.optimum === null ? null : { kind: "optimum", ...Ge(e), goal: t.optimum, y: t.measure, subject_to: t.subject_to.trim() || null };
}
const Rr = (e, t) => t.iso_cost === null ? null : { kind: "iso-cost", ...Ge(e), ...t.iso_cost }, Yt = ({ unit: e }, t) => t.between_of === e ? js(t.between, "number") : null, Ir = ({ models: e }, { cases_of: t }) => t !== null && e.includes(t) ? t : e[0] ?? null;
function Ru(e, t) {
  const n = Yt(e, t);
  return n === null ? null : { kind: "cases", ...Ge(e), low: Nn(n[0]), high: Nn(n[1]), model: Ir(e, t) };
}
function Lr({ models: e }, t) {
  const n = js(t.difference, "string");
  return n !== null && n.every((l) => e.includes(l)) ? n : e.length > 1 ? [e[0], e[1]] : null;
}
function Iu(e, t) {
  const n = Lr(e, t);
  return t.difference === null || n === null || n[0] === n[1] ? null : { kind: "difference", ...Ge(e), models: n };
}
const Lu = (e, t) => t.subgroups === null ? null : { kind: "subgroups", ...Ge(e), by: t.subgroups }, Du = 0.05;
function Fu({ shown: e }) {
  const t = T(), n = k((c) => c.reading), { models: l } = e, r = Ru(e, n), o = I(r, { delay: 80 }), i = Yt(e, n), a = (c, u) => {
    c !== null && u !== null && t.edit("reading", { between: c <= u ? [c, u] : [u, c], between_of: e.unit });
  };
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("div", { class: "row end controls", children: [
      /* @__PURE__ */ s(J, { label: "From", value: i?.[0] ?? null, onChange: (c) => a(c, i?.[1] ?? null) }),
      /* @__PURE__ */ s(J, { label: "to below", value: i?.[1] ?? null, onChange: (c) => a(i?.[0] ?? null, c) }),
      l.length > 1 && /* @__PURE__ */ s(O, { label: "Cases of", value: Ir(e, n), choices: l.map((c) => ({ value: c, label: c })), onChange: (c) => t.edit("reading", { cases_of: c }) }),
      r && /* @__PURE__ */ s("span", { class: "tools", children: [
        /* @__PURE__ */ s(ge, { question: r, title: "Cases between two thresholds" }),
        /* @__PURE__ */ s(pe, { question: r, name: "cases" })
      ] })
    ] }),
    /* @__PURE__ */ s(B, { of: o, what: "Looking for the cases", children: (c) => /* @__PURE__ */ s(Dr, { cases: c }) })
  ] });
}
function Dr({ cases: e, compact: t = !1 }) {
  const { reason: n } = e;
  if (!e.n) return /* @__PURE__ */ s("p", { class: "empty", children: n ? `${n[0].toUpperCase()}${n.slice(1)}.` : "No rows." });
  const l = [e.low, e.high].map((r) => R(we(r)));
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("p", { children: [
      /* @__PURE__ */ s("strong", { children: [
        /* @__PURE__ */ s(M, { value: e.n, name: "cases" }),
        " ",
        e.n === 1 ? "row" : "rows"
      ] }),
      e.model === null ? "" : ` of ${e.model}`,
      " with ",
      e.sort_by,
      " from ",
      l[0],
      " to below ",
      l[1],
      "."
    ] }),
    /* @__PURE__ */ s(ju, { cases: e }),
    !t && e.differing.length > 0 && /* @__PURE__ */ s(qu, { differing: e.differing }),
    !t && /* @__PURE__ */ s(Wu, { cases: e })
  ] });
}
function ju({ cases: e }) {
  const t = Object.keys(e.rows_inside).filter((n) => e.rows_inside[n] + e.rows_outside[n] > 0);
  return /* @__PURE__ */ s(
    H,
    {
      caption: "Rows by their true class",
      rows: t,
      columns: [
        { title: "Class", value: (n) => n },
        { title: "Between", name: "rows inside", value: (n) => e.rows_inside[n] },
        { title: "Elsewhere", name: "rows outside", value: (n) => e.rows_outside[n] },
        ...e.weighted ? [
          { title: "Weight between", value: (n) => e.inside[n] },
          { title: "Weight elsewhere", value: (n) => e.outside[n] }
        ] : []
      ]
    }
  );
}
function qu({ differing: e }) {
  const t = (n, l) => l === null ? null : n.kind === "category" ? ue(l) : l;
  return /* @__PURE__ */ s(
    H,
    {
      caption: "What is different about them",
      rows: e,
      columns: [
        { title: "Attribute", value: (n) => n.kind === "category" && n.value !== null ? `${n.attribute} = ${n.value}` : n.attribute },
        { title: "Between", value: (n) => t(n, n.inside) },
        { title: "Elsewhere", value: (n) => t(n, n.outside) },
        { title: "Effect", value: (n) => n.effect },
        { title: "Adjusted p", value: (n) => n.p_adjusted === null ? n.reason : n.p_adjusted < Du ? /* @__PURE__ */ s("strong", { children: /* @__PURE__ */ s(M, { value: n.p_adjusted, digits: 2 }) }) : /* @__PURE__ */ s(M, { value: n.p_adjusted, digits: 2 }) }
      ]
    }
  );
}
function Wu({ cases: e }) {
  const [t, n] = w(""), l = async () => {
    const r = [e.columns, ...e.cases.map((o) => e.columns.map((i) => o[i]))];
    try {
      await navigator.clipboard.writeText(r.map((o) => o.map((i) => String(i ?? "").replace(/[\t\n\r]+/g, " ")).join("	")).join(`
`)), n(`Copied ${D(e.listed, "row")}.`);
    } catch {
      n("The browser does not allow copying here; export them as CSV instead.");
    }
  };
  return /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s(
      H,
      {
        caption: e.listed < e.n ? `The first ${R(e.listed)} of ${D(e.n, "row")}, the highest first` : `All ${D(e.n, "row")}, the highest first`,
        rows: e.cases,
        columns: e.columns.map((r) => ({
          title: r,
          value: (o) => /* @__PURE__ */ s(Fr, { cell: o[r] ?? null })
        }))
      }
    ),
    /* @__PURE__ */ s("div", { class: "tools", children: [
      /* @__PURE__ */ s("button", { onClick: () => void l(), children: "Copy the rows" }),
      /* @__PURE__ */ s("span", { class: "hint", role: "status", children: t })
    ] })
  ] });
}
function Fr({ cell: e }) {
  return typeof e != "number" ? /* @__PURE__ */ s(_, { children: e === null ? "–" : String(e) }) : Number.isInteger(e) ? /* @__PURE__ */ s("span", { class: "raw", children: /* @__PURE__ */ s("data", { value: String(e), children: String(e) }) }) : /* @__PURE__ */ s("span", { class: "raw", children: /* @__PURE__ */ s(M, { value: e }) });
}
const nl = ({ color: e }) => /* @__PURE__ */ s("span", { class: "swatch", "aria-hidden": "true", style: { background: `var(--pl-line${e % 8 + 1})` } });
function bt(e) {
  const t = e.map((l) => JSON.stringify([l.model, l.target])), n = [...new Set(t)];
  return t.map((l) => n.indexOf(l));
}
function On(e, t) {
  return [e.model, e.fold === null ? null : `fold ${e.fold}`, t ? e.target : null].filter((l) => l !== null).join(", ") || "all rows";
}
const jr = (e) => new Set(e.map((t) => t.target)).size > 1, ts = 3;
function qr({ reading: e, compact: t = !1 }) {
  const [n, l] = w(0), r = jr(e.lines), o = bt(e.lines), i = e.lines.map((c, u) => ({ line: c, name: On(c, r), color: o[u] })), a = i.length > ts ? i.slice(Math.min(n, i.length - 1)).slice(0, 1) : i;
  return /* @__PURE__ */ s(_, { children: [
    e.reason && /* @__PURE__ */ s(A, { children: [
      "No counts: ",
      e.reason,
      "."
    ] }),
    i.length > ts && /* @__PURE__ */ s(O, { label: "Line", value: String(n), choices: i.map((c, u) => ({ value: String(u), label: c.name })), onChange: (c) => l(Number(c)) }),
    a.map((c) => /* @__PURE__ */ s(Bu, { ...c, alone: i.length === 1, compact: t }, c.name))
  ] });
}
function Bu({ line: e, name: t, color: n, alone: l, compact: r }) {
  if (e.TP === null || !e.classes) return null;
  const { positive: o, negative: i } = e.classes;
  return /* @__PURE__ */ s("div", { class: "four", children: [
    !l && /* @__PURE__ */ s("h4", { class: "named", children: [
      /* @__PURE__ */ s(nl, { color: n }),
      t
    ] }),
    /* @__PURE__ */ s("p", { class: "sentence", children: e.sentence }),
    /* @__PURE__ */ s("table", { class: "counts", children: [
      /* @__PURE__ */ s("caption", { class: "visually-hidden", children: [
        "Counts of ",
        t
      ] }),
      /* @__PURE__ */ s("thead", { children: /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("td", {}),
        /* @__PURE__ */ s("th", { scope: "col", children: "accepted" }),
        /* @__PURE__ */ s("th", { scope: "col", children: "not accepted" })
      ] }) }),
      /* @__PURE__ */ s("tbody", { children: [
        /* @__PURE__ */ s("tr", { children: [
          /* @__PURE__ */ s("th", { scope: "row", children: o }),
          /* @__PURE__ */ s(xt, { name: "TP", value: e.TP, right: !0 }),
          /* @__PURE__ */ s(xt, { name: "FN", value: e.FN })
        ] }),
        /* @__PURE__ */ s("tr", { children: [
          /* @__PURE__ */ s("th", { scope: "row", children: i }),
          /* @__PURE__ */ s(xt, { name: "FP", value: e.FP }),
          /* @__PURE__ */ s(xt, { name: "TN", value: e.TN, right: !0 })
        ] })
      ] })
    ] }),
    /* @__PURE__ */ s("p", { class: "hint thirds", children: [
      /* @__PURE__ */ s("span", { children: [
        "Examined: ",
        ue(e.accepted_share),
        " of all"
      ] }),
      /* @__PURE__ */ s("span", { children: [
        "Missed: ",
        R(e.FN),
        " ",
        o,
        " (",
        ue(e.P ? e.FN / e.P : null),
        ")"
      ] })
    ] }),
    !r && /* @__PURE__ */ s(Uu, { line: e, name: t, open: l })
  ] });
}
const xt = ({ name: e, value: t, right: n = !1 }) => /* @__PURE__ */ s("td", { class: n ? "number right" : "number", children: [
  /* @__PURE__ */ s(M, { value: t, name: e }),
  " ",
  /* @__PURE__ */ s("small", { children: e })
] });
function Uu({ line: e, name: t, open: n }) {
  if (!e.rates.length) return null;
  const l = e.rates.filter((r) => r.low !== null && r.high !== null);
  return /* @__PURE__ */ s("details", { open: n, children: [
    /* @__PURE__ */ s("summary", { children: [
      "Rates",
      n ? "" : /* @__PURE__ */ s("span", { class: "visually-hidden", children: [
        " of ",
        t
      ] })
    ] }),
    /* @__PURE__ */ s(
      H,
      {
        caption: l.length ? "With 95 % intervals, of each by itself" : "Values alone, without intervals",
        rows: e.rates,
        columns: [
          { title: "Rate", value: (r) => /* @__PURE__ */ s("span", { title: r.title, children: Wr(r) }) },
          { title: "Value", value: (r) => /* @__PURE__ */ s(zu, { rate: r }) }
        ]
      }
    ),
    Hu(e.rates).map(({ reason: r, names: o }) => /* @__PURE__ */ s(A, { children: [
      o.length === e.rates.length ? "" : `${o.join(", ")}: `,
      r,
      "."
    ] }, r))
  ] });
}
function Hu(e) {
  const t = e.filter((n) => n.value !== null && n.low === null && n.reason !== null);
  return [...new Set(t.map((n) => n.reason))].map((n) => ({ reason: n, names: t.filter((l) => l.reason === n).map(Wr) }));
}
const Wr = (e) => e.title.split(" (")[0];
function zu({ rate: e }) {
  return /* @__PURE__ */ s("span", { class: "rate", title: e.reason ?? void 0, children: [
    /* @__PURE__ */ s(M, { value: e.value, name: e.name }),
    e.low !== null && e.high !== null && /* @__PURE__ */ s("small", { children: [
      R(e.low, 3),
      " to ",
      R(e.high, 3)
    ] }),
    e.value === null && e.reason && /* @__PURE__ */ s("small", { children: e.reason })
  ] });
}
function Vu({ shown: e }) {
  const t = T(), n = k((u) => u.reading), l = Iu(e, n), r = I(l), o = Lr(e, n);
  if (o === null) return /* @__PURE__ */ s(A, { children: "A comparison needs two models; choose a second one in the data panel." });
  const i = o[0] === o[1], { title: a } = e.answer, c = e.models.map((u) => ({ value: u, label: u }));
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("div", { class: "row end controls", children: [
      /* @__PURE__ */ s(O, { label: "Curve of", value: o[1], choices: c, onChange: (u) => t.edit("reading", { difference: [o[0], u] }) }),
      /* @__PURE__ */ s(O, { label: "minus that of", value: o[0], choices: c, onChange: (u) => t.edit("reading", { difference: [u, o[1]] }) }),
      l && /* @__PURE__ */ s("span", { class: "tools", children: [
        /* @__PURE__ */ s(ge, { question: l, title: `${a}: ${o[1]} minus ${o[0]}` }),
        /* @__PURE__ */ s(pe, { question: l, name: `${o[1]} minus ${o[0]}` })
      ] })
    ] }),
    i ? /* @__PURE__ */ s(A, { children: "Choose two different models." }) : /* @__PURE__ */ s(B, { of: r, what: "Comparing the two curves", children: (u) => /* @__PURE__ */ s(Br, { difference: u }) })
  ] });
}
function Br({ difference: e, compact: t = !1 }) {
  const [n, l] = e.models, r = `${e.title}: ${l} minus ${n}`, o = { kind: "rule", axis: "y", at: 0 }, i = e.higher.map((a) => ({ kind: "region", axis: "x", from: a.low, to: a.high, label: `${a.model} higher` }));
  return /* @__PURE__ */ s("figure", { children: [
    /* @__PURE__ */ s("p", { class: "verdict", children: e.verdict }),
    /* @__PURE__ */ s(
      se,
      {
        label: r,
        series: [{ id: "difference", name: `${l} minus ${n}`, color: 0, x: e.x, y: e.difference, low: e.low, high: e.high, style: "line" }],
        x: { title: e.x_title },
        y: { title: `difference of ${e.y_title}` },
        marks: [o, ...i],
        legend: !1,
        ...t ? { table: !1, height: 220 } : { height: 300 }
      }
    ),
    /* @__PURE__ */ s(A, { children: [
      D(e.n, "example"),
      "; the band holds at all places at once."
    ] })
  ] });
}
function Gu({ shown: e }) {
  const t = T(), n = k((i) => i.reading), l = I(Rr(e, n), { delay: 80 }), r = n.iso_cost ?? { fp: 1, fn: 1 }, o = (i) => t.edit("reading", { iso_cost: { ...r, ...i } });
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("div", { class: "pair", children: [
      /* @__PURE__ */ s(J, { label: "A false positive costs", value: r.fp, min: 0, onChange: (i) => o({ fp: i ?? 0 }) }),
      /* @__PURE__ */ s(J, { label: "A false negative costs", value: r.fn, min: 0, onChange: (i) => o({ fn: i ?? 0 }) })
    ] }),
    /* @__PURE__ */ s(B, { of: l, what: "Adding up the costs", children: (i) => /* @__PURE__ */ s(Ur, { lines: i.lines, unit: e.unit }) })
  ] });
}
function Ur({ lines: e, unit: t }) {
  const n = _e(), l = jr(e);
  return /* @__PURE__ */ s(
    H,
    {
      caption: "The cheapest point of every line",
      rows: e,
      columns: [
        { title: "Line", value: (r) => On(r, l) },
        { title: "Cost per row", value: (r) => r.cost ?? r.reason },
        {
          title: "Threshold",
          value: (r) => {
            const o = we(r.threshold);
            return o === null ? null : /* @__PURE__ */ s("button", { class: "link", onClick: () => n.move(o, !0, { unit: t }), children: [
              Number.isFinite(o) ? o.toPrecision(4) : "∞",
              /* @__PURE__ */ s("span", { class: "visually-hidden", children: [
                " as the threshold, the cheapest of ",
                On(r, l)
              ] })
            ] });
          }
        }
      ]
    }
  );
}
const Hr = 40, ns = /[\p{L}\p{N}_]/u, ls = /* @__PURE__ */ new Set(["where", "sort_by"]), Ju = {
  attribute: "column",
  row: "of the row",
  count: "count",
  rate: "rate",
  threshold: "threshold",
  constant: "constant"
};
function ll(e, t) {
  const n = Ku(e, t);
  if (n !== null) {
    const o = e.indexOf(e[n], t);
    return { from: n, to: o < 0 ? e.length : o + 1, quote: e[n] };
  }
  let l = t;
  for (; l > 0 && ns.test(e[l - 1]); ) l -= 1;
  let r = t;
  for (; r < e.length && ns.test(e[r]); ) r += 1;
  if (l === r && l > 0 && e[l - 1] === "`") {
    const o = e.lastIndexOf("`", l - 2);
    if (o >= 0) return { from: o, to: l, quote: null };
  }
  return { from: l, to: r, quote: null };
}
function Ku(e, t) {
  let n = null;
  for (let l = 0; l < t; l += 1) {
    const r = e[l];
    (n === null ? "'\"`".includes(r) : r === e[n]) && (n = n === null ? l : null);
  }
  return n;
}
function Qu(e, t) {
  const n = /(`[^`]+`|[\p{L}_][\p{L}\p{N}_]*)\s*(?:==|!=|(?:not\s+)?in\s*[([](?:[^()[\]]*,)?)\s*$/u.exec(t), l = n && zr(e, n[1]);
  return l && l.kind === "category" ? l : null;
}
const zr = (e, t) => e.variables.find((n) => n.name === t || n.name === `\`${t}\``), Vr = (e, t) => e.functions.find((n) => n.name === t);
function ss(e, t, n, l, r = !1) {
  const { from: o, to: i, quote: a } = ll(t, n), c = t.slice(o, n), u = Qu(e, t.slice(0, o));
  if (a === "'" || a === '"')
    return { from: o, to: i, word: c, items: u ? rs(u, c.slice(1)) : [] };
  if (/^\p{N}/u.test(c)) return { from: o, to: i, word: c, items: [] };
  const d = u ? rs(u, c) : [];
  if (!c && !r) return { from: o, to: i, word: c, items: d };
  const f = Xu(e, c, l, t.slice(i));
  return { from: o, to: i, word: c, items: [...d, ...f].slice(0, Hr) };
}
function rs(e, t) {
  return Gr(e.categories, t, (n) => n).map((n) => {
    const l = Jr(n);
    return { insert: l, caret: l.length, label: l, note: `value of ${e.name}` };
  });
}
function Xu(e, t, n, l) {
  const r = e.variables.filter((a) => !ls.has(n) || a.level !== "state"), o = e.functions.filter((a) => !ls.has(n) || a.level !== "state"), i = [
    ...r.map((a) => ({ name: a.name, make: () => Yu(a) })),
    ...o.map((a) => ({ name: a.name, make: () => Zu(a, l) }))
  ];
  return Gr(i, t.replaceAll("`", ""), (a) => a.name.replaceAll("`", "")).slice(0, Hr).map((a) => a.make());
}
const Yu = (e) => ({
  insert: e.name,
  caret: e.name.length,
  label: e.name,
  note: Ju[e.group],
  variable: e
});
function Zu(e, t) {
  return { insert: t.trimStart().startsWith("(") ? e.name : `${e.name}()`, caret: e.name.length + 1, label: e.signature, note: "function", help: e };
}
function Gr(e, t, n) {
  if (!t) return [...e];
  const l = t.toLowerCase(), r = (o) => {
    if (o === t) return 0;
    if (o.startsWith(t)) return 1;
    const i = o.toLowerCase();
    return i.startsWith(l) ? 2 : i.split(/[_\s]/).some((a) => a.startsWith(l)) ? 3 : i.includes(l) && l.length > 1 ? 4 : 5;
  };
  return e.map((o) => ({ one: o, fits: r(n(o)), length: n(o).length })).filter(({ fits: o }) => o < 5).sort((o, i) => o.fits - i.fits || o.length - i.length).map(({ one: o }) => o);
}
const Jr = (e) => {
  const t = e.includes("'") && !e.includes('"') ? '"' : "'";
  return t + e.replaceAll("\\", "\\\\").replaceAll(t, `\\${t}`) + t;
};
function ed(e, t, n) {
  const { from: l, to: r, quote: o } = ll(t, n);
  if (o !== "'" && o !== '"') {
    const i = t.slice(l, r), c = (t.slice(r).trimStart().startsWith("(") ? Vr(e, i) : void 0) ?? zr(e, i);
    if (c) return c;
  }
  return td(e, t.slice(0, l));
}
function td(e, t) {
  let n = 0;
  for (let l = t.length - 1; l >= 0; l -= 1)
    if (t[l] === ")") n += 1;
    else if (t[l] === "(" && n > 0) n -= 1;
    else if (t[l] === "(") {
      const { from: r } = ll(t, l), o = Vr(e, t.slice(r, l));
      if (o) return o;
    }
  return null;
}
const os = (e, t) => [...e].slice(0, t).join("").length, nd = {
  set: "one value for all rows",
  row: "a value in every row",
  state: "a value at every threshold"
};
function ld({ help: e }) {
  const t = e.level === null ? "" : `; ${nd[e.level]}`;
  return "signature" in e ? /* @__PURE__ */ s("p", { class: "name-help", children: [
    /* @__PURE__ */ s("code", { children: e.signature }),
    " ",
    e.meaning,
    t
  ] }) : /* @__PURE__ */ s("p", { class: "name-help", children: [
    /* @__PURE__ */ s("code", { children: e.name }),
    " ",
    e.attribute ? sd(e) : e.meaning,
    e.formula !== null && /* @__PURE__ */ s(_, { children: [
      ", ",
      /* @__PURE__ */ s("code", { children: e.formula })
    ] }),
    t
  ] });
}
function sd(e) {
  if (e.kind !== "category") return e.kind === "truth" ? "column of yes and no" : "column of numbers";
  const t = e.categories.slice(0, 4).join(", ");
  return `column with ${e.categories.length === 1 ? "the value" : "the values"} ${t}${e.categories.length > 4 ? ", …" : ""}`;
}
const rd = [
  ["attribute", "Columns of the table"],
  ["row", "Of every row"],
  ["count", "Counts"],
  ["rate", "Rates"],
  ["threshold", "Threshold and target"]
];
function od({ vocabulary: e, part: t, of: n, onInsert: l }) {
  const r = t === "where" || t === "sort_by", o = e.variables.filter((a) => !r || a.level !== "state"), i = o.filter((a) => a.categories.length > 0 && a.name !== "trueClass");
  return /* @__PURE__ */ s("div", { class: "inserts", children: [
    /* @__PURE__ */ s(is, { label: "Insert variable", of: n, onInsert: l, groups: rd.map(([a, c]) => ({ title: c, options: o.filter((u) => u.group === a).map((u) => ({ text: u.name, label: u.title === u.name ? u.name : `${u.name}: ${u.title}` })) })) }),
    /* @__PURE__ */ s(is, { label: "Insert value", of: n, onInsert: l, groups: i.map((a) => ({ title: a.name, options: a.categories.map((c) => ({ text: Jr(c), label: c })) })) })
  ] });
}
function is({ label: e, of: t, groups: n, onInsert: l }) {
  const r = K(), o = n.filter((i) => i.options.length > 0);
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("label", { class: "visually-hidden", for: r, children: `${e} into ${t}` }),
    /* @__PURE__ */ s(
      "select",
      {
        id: r,
        value: "",
        disabled: o.length === 0,
        onChange: (i) => {
          const a = i.currentTarget.value;
          i.currentTarget.value = "", a && l(a);
        },
        children: [
          /* @__PURE__ */ s("option", { value: "", children: e }),
          o.map((i) => /* @__PURE__ */ s("optgroup", { label: i.title, children: i.options.map((a) => /* @__PURE__ */ s("option", { value: a.text, children: a.label }, a.text)) }, i.title))
        ]
      }
    )
  ] });
}
function id({ id: e, label: t, items: n, active: l, onPick: r }) {
  const o = N(null);
  return L(() => {
    o.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [l]), /* @__PURE__ */ s("ul", { id: e, role: "listbox", "aria-label": t, class: "suggestions", hidden: n.length === 0, ref: o, children: n.map((i, a) => /* @__PURE__ */ s(
    "li",
    {
      id: `${e}-${a}`,
      role: "option",
      "aria-selected": a === l,
      onMouseDown: (c) => {
        c.preventDefault(), r(i);
      },
      children: [
        /* @__PURE__ */ s("code", { children: i.label }),
        /* @__PURE__ */ s("small", { children: i.note })
      ]
    },
    i.label
  )) });
}
const ad = 300, cd = 150;
function ze({ label: e, part: t, value: n, onChange: l, placeholder: r, hint: o, onUnread: i }) {
  const a = K(), c = pt(), [u, d] = w(n), [f, h] = w(null), [m, p] = w(null), g = N(null), b = N(null), y = N(n), v = dd(t, u);
  L(() => {
    n !== y.current && (y.current = n, d(n));
  }, [n]);
  const x = (F) => {
    F !== y.current && (y.current = F, l(F));
  };
  L(() => {
    v !== null && v.error === null && v.text === u && x(u);
  }, [v, u]);
  const C = Z(
    () => m === null || f === null ? null : ss(c, u, f, t, m.all),
    [m, f, u, c, t]
  ), $ = C && C.items.length > 0 ? C : null, S = $ && m ? Math.min(m.active, $.items.length - 1) : -1, j = (F, G) => {
    d(F), h(G), p(null), requestAnimationFrame(() => {
      g.current?.focus(), g.current?.setSelectionRange(G, G), h(G);
    });
  }, q = (F) => {
    $ && j(u.slice(0, $.from) + F.insert + u.slice($.to), $.from + F.caret);
  }, Q = (F) => {
    const G = g.current?.selectionStart ?? u.length, vt = g.current?.selectionEnd ?? u.length;
    j(u.slice(0, G) + F + u.slice(vt), G + F.length);
  }, V = (F) => {
    const G = F.currentTarget.value.replace(/[\r\n]+/g, " "), vt = F.currentTarget.selectionStart;
    d(G), h(vt), p({ all: !1, active: ud(ss(c, G, vt, t)) });
  }, ee = (F) => {
    if (!$ || !m) return;
    const G = $.items.length;
    p({ ...m, active: S < 0 ? F > 0 ? 0 : G - 1 : (S + F + G) % G });
  }, tn = (F) => {
    const G = F.ctrlKey || F.metaKey;
    if (F.key === " " && G) p({ all: !0, active: 0 });
    else if (F.key === "ArrowDown" && $) ee(1);
    else if (F.key === "ArrowUp" && $) ee(-1);
    else if (F.key === "Escape" && $) p(null);
    else if ((F.key === "Enter" || F.key === "Tab") && $ && S >= 0) q($.items[S]);
    else if (F.key === "Enter")
      p(null), (!v || v.text !== u || v.error === null) && x(u);
    else return;
    F.preventDefault(), F.stopPropagation();
  }, nn = () => {
    const F = g.current?.selectionStart ?? null;
    F !== f && (h(F), p(null));
  }, ln = N(), wo = (F) => {
    b.current?.contains(F.relatedTarget) || (p(null), ln.current = setTimeout(() => h(null), ad));
  };
  L(() => () => clearTimeout(ln.current), []);
  const _o = !u.trim() && r !== void 0, Je = v !== null && v.text === u && !_o ? v.error : null, ul = Je ? u : null;
  L(() => i?.(ul), [ul]);
  const Ne = Je && { ...Je, start: os(u, Je.start), end: os(u, Je.end) }, dl = f === null ? null : $ && S >= 0 ? $.items[S].variable ?? $.items[S].help ?? null : ed(c, u, f), sn = `${a}-list`;
  return /* @__PURE__ */ s("div", { class: "field formula", ref: b, onFocusIn: () => clearTimeout(ln.current), onFocusOut: wo, children: [
    /* @__PURE__ */ s("label", { for: a, children: e }),
    /* @__PURE__ */ s("div", { class: Ne ? "formula-box wrong" : "formula-box", children: [
      /* @__PURE__ */ s("div", { class: "formula-shadow", "aria-hidden": "true", children: /* @__PURE__ */ s(hd, { text: u || r || "", start: Ne?.start, end: Ne?.end }) }),
      /* @__PURE__ */ s(
        "textarea",
        {
          id: a,
          ref: g,
          rows: 1,
          role: "combobox",
          "aria-autocomplete": "list",
          "aria-expanded": $ !== null,
          "aria-controls": sn,
          "aria-activedescendant": S >= 0 ? `${sn}-${S}` : void 0,
          "aria-invalid": Ne ? !0 : void 0,
          "aria-describedby": `${a}-said`,
          spellcheck: !1,
          autocapitalize: "off",
          autocomplete: "off",
          value: u,
          placeholder: r,
          onInput: V,
          onKeyDown: tn,
          onKeyUp: nn,
          onClick: nn,
          onFocus: nn
        }
      ),
      /* @__PURE__ */ s(id, { id: sn, label: `Names for ${e}`, items: $?.items ?? [], active: S, onPick: q })
    ] }),
    /* @__PURE__ */ s("div", { class: "formula-said", id: `${a}-said`, "aria-live": "polite", children: Ne ? /* @__PURE__ */ s(fd, { text: u, ...Ne }) : o && /* @__PURE__ */ s("small", { children: o }) }),
    f !== null && dl && !Ne && /* @__PURE__ */ s(ld, { help: dl }),
    f !== null && /* @__PURE__ */ s(od, { vocabulary: c, part: t, of: e, onInsert: Q })
  ] });
}
function ud(e) {
  const t = e.word;
  return e.items.some((n) => n.insert === t || n.insert === `${t}()`) ? -1 : 0;
}
function dd(e, t) {
  const { preset: n, x: l, sort_by: r, direction: o, merge: i, average: a } = k((d) => d.curve), u = I({ kind: "lint", part: e, text: t, curve: { preset: n, x: l, sort_by: r, direction: o, merge: i, average: a } }, { delay: cd });
  return u.stale ? null : u.answer;
}
function hd({ text: e, start: t, end: n }) {
  if (t === void 0 || n === void 0) return /* @__PURE__ */ s(_, { children: [
    e,
    "​"
  ] });
  const l = Math.max(n, t + 1);
  return /* @__PURE__ */ s(_, { children: [
    e.slice(0, t),
    /* @__PURE__ */ s("u", { children: e.slice(t, l) || " " }),
    e.slice(l),
    "​"
  ] });
}
const gn = 29;
function fd({ text: e, message: t, start: n, end: l }) {
  const r = Math.max(0, Math.min(n - 10, e.length - gn)), o = e.slice(r, r + gn), i = Math.max(1, Math.min(l, r + gn) - n);
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("p", { class: "formula-wrong", children: t }),
    /* @__PURE__ */ s("pre", { "aria-hidden": "true", children: `${o}
${" ".repeat(n - r)}${"^".repeat(i)}` })
  ] });
}
const md = [
  { value: "CA", label: "Classification accuracy" },
  { value: "F1", label: "F1" },
  { value: "informedness", label: "Informedness (Youden's J)" },
  { value: "balanced_accuracy", label: "Balanced accuracy" },
  { value: "MCC", label: "Matthews correlation" }
];
function pd({ shown: e }) {
  const t = T(), n = k((c) => c.reading), { answer: l, unit: r } = e, o = tl(e, n), i = I(o), a = String(l.settings.y);
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("div", { class: "pair", children: [
      /* @__PURE__ */ s(
        O,
        {
          label: "Look for the",
          value: n.optimum ?? "max",
          choices: [
            { value: "max", label: "highest" },
            { value: "min", label: "lowest" }
          ],
          onChange: (c) => t.edit("reading", { optimum: c === "min" ? "min" : "max" })
        }
      ),
      /* @__PURE__ */ s(
        O,
        {
          label: "value of",
          value: n.measure ?? "",
          choices: [{ value: "", label: `y of the curve (${l.y_title})` }, ...md],
          onChange: (c) => t.edit("reading", { measure: c || null })
        }
      )
    ] }),
    /* @__PURE__ */ s(ze, { label: "Only where", part: "subject_to", value: n.subject_to, placeholder: "recall >= 0.85", onChange: (c) => t.edit("reading", { subject_to: c }, "subject_to") }),
    o && /* @__PURE__ */ s("span", { class: "tools", children: /* @__PURE__ */ s(ge, { question: o, title: `Best threshold of ${n.measure ?? a}` }) }),
    /* @__PURE__ */ s(B, { of: i, what: "Looking for the best threshold", children: (c) => /* @__PURE__ */ s(Kr, { answer: c, unit: r }) })
  ] });
}
function Kr({ answer: e, unit: t, compact: n = !1 }) {
  return /* @__PURE__ */ s("div", { class: "stack", children: e.results.map((l) => /* @__PURE__ */ s(gd, { best: l, unit: t, compact: n }, l.model ?? "")) });
}
function gd({ best: e, unit: t, compact: n }) {
  const l = _e(), r = we(e.point.threshold);
  return /* @__PURE__ */ s("div", { class: "best", children: [
    e.model !== null && /* @__PURE__ */ s("h4", { children: e.model }),
    /* @__PURE__ */ s("p", { class: "verdict", children: e.verdict }),
    r !== null && /* @__PURE__ */ s("dl", { class: "facts", children: [
      /* @__PURE__ */ s(Qe, { title: "Best threshold", name: "threshold", value: r }),
      /* @__PURE__ */ s(Qe, { title: "Value there", name: "value", value: e.value }),
      e.gain !== null && /* @__PURE__ */ s(Qe, { title: "Gain over 0.5", name: "gain", value: e.gain }),
      /* @__PURE__ */ s(Qe, { title: "Honest value", name: "honest_value", value: e.honest_value }),
      /* @__PURE__ */ s(Qe, { title: "Optimism", name: "optimism", value: e.optimism })
    ] }),
    r !== null && !n && /* @__PURE__ */ s("button", { onClick: () => l.move(r, !0, { unit: t }), children: [
      "Take this threshold",
      e.model === null ? "" : /* @__PURE__ */ s("span", { class: "visually-hidden", children: [
        " of ",
        e.model
      ] })
    ] }),
    e.notes.length > 0 && !n && /* @__PURE__ */ s("details", { children: [
      /* @__PURE__ */ s("summary", { children: "What to know" }),
      /* @__PURE__ */ s("ul", { class: "hints", children: e.notes.map((o) => /* @__PURE__ */ s("li", { children: o }, o)) })
    ] })
  ] });
}
function Qe({ title: e, name: t, value: n }) {
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("dt", { children: e }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(M, { value: n, name: t }) })
  ] });
}
function Qr(e, t) {
  const n = _e(), [l, r] = w({ unit: t, threshold: n.at(t) });
  return L(() => {
    let o;
    const i = () => {
      clearTimeout(o), o = setTimeout(() => r({ unit: t, threshold: n.at(t) }), e);
    };
    i();
    const a = n.subscribe(i);
    return () => {
      clearTimeout(o), a();
    };
  }, [n, e, t]), l.unit === t ? l.threshold : n.at(t);
}
const bd = 80;
function vd({ shown: e, about: t }) {
  const n = T(), l = k((u) => u.reading), { answer: r, unit: o } = e, i = Lu(e, l), a = I(i), c = ({ where: u }) => {
    const d = n.state.data.where.trim();
    n.edit("data", { where: d ? `(${d}) and (${u})` : u });
  };
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("div", { class: "row end controls", children: [
      /* @__PURE__ */ s(O, { label: "Groups by", value: l.subgroups ?? "", choices: t.attributes.map(({ name: u }) => ({ value: u, label: u })), onChange: (u) => n.edit("reading", { subgroups: u }) }),
      i && /* @__PURE__ */ s("span", { class: "tools", children: [
        /* @__PURE__ */ s(ge, { question: i, title: `${r.title} by ${l.subgroups}` }),
        /* @__PURE__ */ s(pe, { question: i, name: `${r.title} by ${l.subgroups}` })
      ] })
    ] }),
    /* @__PURE__ */ s(B, { of: a, what: "Drawing the groups", children: (u) => /* @__PURE__ */ s(Xr, { groups: u, unit: o, square: r.square, onKeep: c }) })
  ] });
}
function Xr({ groups: e, unit: t, square: n = !1, onKeep: l }) {
  const r = e.groups.find((i) => i.lines.length > 0)?.lines ?? [], o = bt(r);
  return /* @__PURE__ */ s(_, { children: [
    r.length > 1 && /* @__PURE__ */ s("ul", { class: "chips", "aria-label": "Lines", children: r.slice(0, 8).map((i, a) => /* @__PURE__ */ s("li", { class: "named", children: [
      /* @__PURE__ */ s(nl, { color: o[a] }),
      i.name
    ] }, i.name)) }),
    /* @__PURE__ */ s("div", { class: "multiples", children: e.groups.map((i) => /* @__PURE__ */ s(wd, { group: i, of: e, unit: t, square: n, ...l ? { onKeep: l } : {} }, i.where)) })
  ] });
}
function yd(e, t) {
  return t === null ? [] : e.flatMap((n) => {
    const { x: l, y: r } = n, o = Gn(n.threshold, Vn(n.threshold), t, Yn(n));
    return o < 0 || !Number.isFinite(l[o]) ? [] : [{ kind: "point", x: l[o], y: r[o] }];
  });
}
function wd({ group: e, of: t, unit: n, square: l, onKeep: r }) {
  const o = bt(e.lines), i = e.lines.filter((c) => c.x.length > 0), a = yd(i, Qr(bd, n));
  return /* @__PURE__ */ s("figure", { class: "multiple", children: [
    /* @__PURE__ */ s("figcaption", { children: [
      /* @__PURE__ */ s("strong", { children: e.name }),
      " ",
      /* @__PURE__ */ s("small", { children: D(e.n, "row") })
    ] }),
    e.reason !== null || !i.length ? /* @__PURE__ */ s("p", { class: "empty", children: e.reason ?? "Nothing is defined here." }) : /* @__PURE__ */ s(
      se,
      {
        label: `${e.name}: ${t.y_title} by ${t.x_title}`,
        series: e.lines.map((c, u) => ({ id: c.name || "all", name: c.name || "all rows", color: o[u], x: c.x, y: c.y, threshold: c.threshold })),
        x: { title: t.x_title, ...t.x_domain ? { domain: t.x_domain } : {}, ...t.x_names.length ? { names: t.x_names } : {} },
        y: { title: t.y_title, ...t.y_domain ? { domain: t.y_domain } : {} },
        square: l,
        height: 230,
        table: !1,
        legend: !1,
        marks: a
      }
    ),
    t.area_name !== null && i.length > 0 && /* @__PURE__ */ s("p", { class: "hint", children: [
      t.area_name,
      ":",
      " ",
      i.slice(0, 4).map((c, u) => /* @__PURE__ */ s("span", { children: [
        u > 0 && ", ",
        c.name && `${c.name} `,
        /* @__PURE__ */ s(M, { value: c.area, digits: 3, name: "area" })
      ] }, c.name))
    ] }),
    r && /* @__PURE__ */ s("button", { class: "link", onClick: () => r(e), children: [
      "Keep only ",
      e.name
    ] })
  ] });
}
function qe(e, t) {
  return function({ question: l, compact: r = !1 }) {
    const o = I(l);
    return /* @__PURE__ */ s(B, { of: o, what: e, children: (i) => t(i, r, l) });
  };
}
const _d = (e) => ["roc", "precision-recall"].includes(String(e.curve?.preset)), kd = {
  reading: qe("Counting", (e, t) => /* @__PURE__ */ s(qr, { reading: e, compact: t })),
  optimum: qe("Looking for the best threshold", (e, t, n) => /* @__PURE__ */ s(Kr, { answer: e, unit: nt(n), compact: t })),
  "iso-cost": qe("Adding up the costs", (e, t, n) => /* @__PURE__ */ s(Ur, { lines: e.lines, unit: nt(n) })),
  cases: qe("Looking for the cases", (e, t) => /* @__PURE__ */ s(Dr, { cases: e, compact: t })),
  difference: qe("Comparing the two curves", (e, t) => /* @__PURE__ */ s(Br, { difference: e, compact: t })),
  subgroups: qe("Drawing the groups", (e, t, n) => /* @__PURE__ */ s(Xr, { groups: e, unit: nt(n), square: _d(n) }))
}, En = { ...Wc, ...fr, ...Ou, ...au, ...kd }, Pn = 1, xd = 5e6, Rn = 500, Pt = 5e4;
class ne extends Error {
}
function $d(e, t) {
  const n = e.board.pins.map(({ title: r, note: o, question: i, from: a }) => ({ title: r, note: o, question: i, from: a })), l = { plumbline: t, format: Pn, data: e.data, name: e.board.name, pins: n, state: e.state };
  return `${JSON.stringify(l, null, 1)}
`;
}
function Sd(e, t) {
  const n = Wt(Td(e), "the file");
  if (typeof n.plumbline != "string" || typeof n.format != "number")
    throw new ne("This is no board: it does not say that Plumbline made it.");
  if (n.format !== Pn)
    throw new ne(`This board is of another Plumbline, ${n.plumbline.slice(0, 40)} (format ${n.format}); this one reads format ${Pn}.`);
  const l = Wt(n.data, "data"), r = {
    name: Se(l.name, "data.name", Rn),
    n: Md(l.n, "data.n"),
    fingerprint: Se(l.fingerprint, "data.fingerprint", 64)
  };
  return { board: { name: Se(n.name, "name", Rn), pins: Yr(n.pins, t) }, data: r, state: Se(n.state, "state", Pt) };
}
function Yr(e, t) {
  if (!Array.isArray(e)) throw new ne("This is no board: its cards are missing.");
  if (e.length > ht) throw new ne(`This board has ${e.length} cards; a board holds ${ht}.`);
  return e.map((n, l) => Cd(n, `card ${l + 1}`, t));
}
function Cd(e, t, n) {
  const l = Wt(e, t), r = l.question === null ? null : Wt(l.question, `the question of ${t}`);
  if (r !== null) {
    const o = Se(r.kind, `the kind of ${t}`, 60);
    if (!n(o)) throw new ne(`This board cannot be opened: ${t} is of the kind “${o}”, which this Plumbline does not draw.`);
    if (JSON.stringify(r).length > Pt) throw new ne(`This board cannot be opened: ${t} is too long.`);
  }
  return {
    id: Xt(),
    title: Se(l.title, `the title of ${t}`, Rn),
    note: Se(l.note, `the note of ${t}`, Pt),
    question: r,
    from: l.from === null ? null : Se(l.from, `the state of ${t}`, Pt)
  };
}
function Td(e) {
  try {
    return JSON.parse(e);
  } catch {
    throw new ne("This is no board: the file is not JSON.");
  }
}
function Wt(e, t) {
  if (e === null || typeof e != "object" || Array.isArray(e)) throw new ne(`This board cannot be opened: ${t} holds no fields.`);
  return e;
}
function Se(e, t, n) {
  if (typeof e != "string") throw new ne(`This board cannot be opened: ${t} is no text.`);
  if (e.length > n) throw new ne(`This board cannot be opened: ${t} is longer than ${n} characters.`);
  return e;
}
function Md(e, t) {
  if (!Number.isInteger(e) || e < 0) throw new ne(`This board cannot be opened: ${t} is no number of rows.`);
  return e;
}
const Ad = 500;
function Nd({ table: e }) {
  const t = T();
  return L(() => {
    const n = `plumbline.board.${e}`, l = Od(n);
    l !== null && !t.state.board.pins.length && t.replace({ ...t.state, board: l });
    let r = t.state.board;
    return t.subscribe(() => {
      t.state.board === r || t.state.table !== e || (r = t.state.board, Ed(n, r));
    });
  }, [t, e]), null;
}
function Od(e) {
  try {
    const t = JSON.parse(sessionStorage.getItem(e) ?? "null");
    return t === null || typeof t.name != "string" || t.name.length > Ad ? null : { name: t.name, pins: Yr(t.pins, Zr) };
  } catch {
    return null;
  }
}
function Ed(e, t) {
  try {
    sessionStorage.setItem(e, JSON.stringify(t));
  } catch {
  }
}
const Zr = (e) => Object.hasOwn(En, e);
function Pd(e, t, n) {
  const l = new Set(t ?? e);
  l.delete(n) || l.add(n);
  const r = e.filter((o) => l.has(o));
  return r.length === e.length ? null : r;
}
const as = (e) => `"${e.replace(/[\\"]/g, "\\$&")}"`, Rd = /^[A-Za-z_][A-Za-z0-9_]*$/, Id = (e, t) => t.has(e) && Rd.test(e) ? e : `\`${e}\``;
function Ld(e, t) {
  if (t.kind === "truth") return t.value ? e : `not ${e}`;
  if (t.kind === "category")
    return t.values.length ? t.values.length === 1 ? `${e} == ${as(t.values[0])}` : `${e} in [${t.values.map(as).join(", ")}]` : null;
  const { low: n, high: l } = t;
  return n !== null && l !== null ? `${n} <= ${e} <= ${l}` : n !== null ? `${e} >= ${n}` : l === null ? null : `${e} <= ${l}`;
}
function Dd(e, t) {
  const n = e.trim();
  return n ? `${/\b(or|if)\b/.test(n) ? `(${n})` : n} and ${t}` : t;
}
const Fd = 8;
function cs({ title: e, names: t, chosen: n, onChange: l }) {
  const [r, o] = w(""), i = t.length > Fd, a = i && r ? t.filter((u) => u.toLowerCase().includes(r.toLowerCase())) : t, c = n === null ? t.length : t.filter((u) => n.includes(u)).length;
  return /* @__PURE__ */ s("fieldset", { class: "checklist", children: [
    /* @__PURE__ */ s("legend", { children: [
      e,
      " ",
      /* @__PURE__ */ s("small", { children: `${R(c)} of ${R(t.length)}` })
    ] }),
    /* @__PURE__ */ s("div", { class: "row", children: [
      /* @__PURE__ */ s("button", { type: "button", class: "link", onClick: () => l(null), "aria-label": `${e}: select all`, children: "Select all" }),
      /* @__PURE__ */ s("button", { type: "button", class: "link", onClick: () => l([]), "aria-label": `${e}: select none`, children: "None" })
    ] }),
    i && /* @__PURE__ */ s("label", { class: "find", children: [
      /* @__PURE__ */ s("span", { children: `Find in ${e.toLowerCase()}` }),
      /* @__PURE__ */ s("input", { type: "search", value: r, onInput: (u) => o(u.currentTarget.value) })
    ] }),
    /* @__PURE__ */ s("div", { class: i ? "names boxed" : "names", children: [
      a.map((u) => /* @__PURE__ */ s(Ae, { label: u, checked: n === null || n.includes(u), onChange: () => l(Pd(t, n, u)) }, u)),
      !a.length && /* @__PURE__ */ s("p", { class: "hint", children: "Nothing here is called so." })
    ] }),
    c === 0 && /* @__PURE__ */ s("p", { class: "hint lacking", children: "Nothing is selected, so there is nothing to show." })
  ] });
}
function jd({ attributes: e }) {
  const t = T(), n = k((m) => m.data.where), { variables: l } = pt(), [r, o] = w(e[0].name), i = e.find((m) => m.name === r) ?? e[0], [a, c] = w(() => bn(i)), u = new Set(l.filter((m) => m.attribute).map((m) => m.name)), d = Ld(Id(i.name, u), a), f = (m) => {
    o(m), c(bn(e.find((p) => p.name === m)));
  }, h = () => {
    d !== null && (t.edit("data", { where: Dd(n, d) }), c(bn(i)));
  };
  return /* @__PURE__ */ s("details", { class: "quick", children: [
    /* @__PURE__ */ s("summary", { children: "Filter by a value" }),
    /* @__PURE__ */ s(O, { label: "Attribute", value: i.name, choices: e.map((m) => ({ value: m.name, label: m.name })), onChange: f }),
    a.kind === "number" && /* @__PURE__ */ s(qd, { attribute: i, wanted: a, onChange: c }),
    a.kind === "truth" && /* @__PURE__ */ s(O, { label: "Value", value: String(a.value), choices: [{ value: "true", label: "true" }, { value: "false", label: "false" }], onChange: (m) => c({ kind: "truth", value: m === "true" }) }),
    a.kind === "category" && /* @__PURE__ */ s(Wd, { attribute: i, wanted: a, onChange: c }),
    /* @__PURE__ */ s("button", { type: "button", disabled: d === null, onClick: h, children: "Add to the filter" })
  ] });
}
function bn(e) {
  return e.kind === "category" ? { kind: "category", values: [] } : e.kind === "truth" ? { kind: "truth", value: !0 } : { kind: "number", low: null, high: null };
}
function qd({ attribute: e, wanted: t, onChange: n }) {
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("div", { class: "pair", children: [
      /* @__PURE__ */ s(J, { live: !0, label: "From", value: t.low, onChange: (l) => n({ ...t, low: l }) }),
      /* @__PURE__ */ s(J, { live: !0, label: "To", value: t.high, onChange: (l) => n({ ...t, high: l }) })
    ] }),
    /* @__PURE__ */ s("p", { class: "hint", children: `Values go from ${R(e.low)} to ${R(e.high)}.` })
  ] });
}
function Wd({ attribute: e, wanted: t, onChange: n }) {
  const l = e.values ?? [], r = (e.distinct ?? l.length) - l.length, o = (i) => {
    const a = t.values.filter((c) => c !== i);
    n({ ...t, values: a.length < t.values.length ? a : [...t.values, i] });
  };
  return /* @__PURE__ */ s("fieldset", { children: [
    /* @__PURE__ */ s("legend", { children: "Values" }),
    /* @__PURE__ */ s("div", { class: l.length > 8 ? "names boxed" : "names", children: l.map((i) => /* @__PURE__ */ s(Ae, { label: i, checked: t.values.includes(i), onChange: () => o(i) }, i)) }),
    r > 0 && /* @__PURE__ */ s("p", { class: "hint", children: `${R(r)} more values; write those into the formula.` })
  ] });
}
function Bd({ about: e }) {
  const t = T(), n = k((o) => o.data.where), [l, r] = w(null);
  return /* @__PURE__ */ s("section", { class: "filter", "aria-label": "Filter", children: [
    /* @__PURE__ */ s(ze, { label: "Keep only rows where", part: "where", value: n, onChange: (o) => t.edit("data", { where: o }, "where"), onUnread: r, placeholder: Hd(e) }),
    l !== null && l !== n && /* @__PURE__ */ s("p", { class: "hint", role: "status", children: n.trim() ? `Showing the last filter that could be read: ${n}` : "Showing the rows without a filter: this one cannot be read." }),
    /* @__PURE__ */ s(Ud, {}),
    n.trim() !== "" && /* @__PURE__ */ s("button", { type: "button", class: "link", onClick: () => t.edit("data", { where: "" }), children: "Clear the filter" }),
    e.attributes.length > 0 && /* @__PURE__ */ s(jd, { attributes: e.attributes })
  ] });
}
function Ud() {
  const e = k((a) => a.data), t = I({ kind: "rows", data: de(e) }, { delay: 100 });
  if (t.error) return t.error.kind === "cancelled" ? null : /* @__PURE__ */ s(te, { failure: t.error });
  if (t.answer === null) return /* @__PURE__ */ s("p", { class: "hint", children: "Counting rows …" });
  const { table: n, kept: l, effective_n: r, positive: o, positives: i } = t.answer;
  return /* @__PURE__ */ s("p", { class: t.stale ? "hint count stale" : "hint count", "aria-live": "polite", children: [
    l === n ? `All ${D(n, "row")}` : `${R(l)} of ${D(n, "row")}`,
    `, ${R(i)} of them “${o}”`,
    Math.abs(r - l) > 1e-9 * l && `; effective number of rows ${R(r)}`
  ] });
}
const Hd = (e) => {
  const t = e.attributes[0];
  return t === void 0 ? "probability > 0.5" : t.kind === "number" ? `${/^\w+$/.test(t.name) ? t.name : `\`${t.name}\``} > ${R(t.low)}` : "";
}, zd = 12;
function Vd() {
  const e = k((r) => r.data), [t, n] = w(!1), l = I(t ? { kind: "doctor", data: de(e) } : null, { delay: 200 });
  return /* @__PURE__ */ s("details", { class: "findings", open: t, onToggle: (r) => n(r.currentTarget.open), children: [
    /* @__PURE__ */ s("summary", { children: "Is anything odd about these rows?" }),
    t && /* @__PURE__ */ s(B, { of: l, what: "Looking at the rows", children: (r) => /* @__PURE__ */ s(Gd, { answer: r }) })
  ] });
}
function Gd({ answer: e }) {
  const t = Object.entries(e.class_shares);
  return /* @__PURE__ */ s(_, { children: [
    e.remarks.length === 0 && /* @__PURE__ */ s("p", { children: "Nothing is odd." }),
    /* @__PURE__ */ s("ul", { class: "remarks", children: e.remarks.map((n) => /* @__PURE__ */ s("li", { children: [
      /* @__PURE__ */ s("strong", { children: n.subject }),
      /* @__PURE__ */ s("span", { children: n.text })
    ] }, n.subject)) }),
    /* @__PURE__ */ s("dl", { class: "facts", children: [
      /* @__PURE__ */ s("dt", { children: "Distinct scores" }),
      /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(M, { value: e.distinct_scores }) }),
      t.length <= zd && t.map(([n, l]) => /* @__PURE__ */ s(_, { children: [
        /* @__PURE__ */ s("dt", { children: `Share of ${n}` }, n),
        /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(M, { value: l, digits: 3 }) })
      ] }))
    ] })
  ] });
}
function eo({ label: e, value: t, choices: n, onChange: l, hint: r, disabled: o }) {
  const [i, a] = w(t), c = K();
  L(() => a(t), [t]);
  const u = n.includes(i), d = (h) => {
    a(h), n.includes(h) && h !== t && l(h);
  }, f = u ? r : i === "" ? "Type a part of the name" : `Nothing here is called ${i}; ${t} stays chosen`;
  return /* @__PURE__ */ s(oe, { label: e, ...f ? { hint: f } : {}, children: (h) => /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("input", { id: h, list: c, value: i, disabled: o, "aria-invalid": !u, autocomplete: "off", onFocus: (m) => m.currentTarget.select(), onInput: (m) => d(m.currentTarget.value), onBlur: () => a(t) }),
    /* @__PURE__ */ s("datalist", { id: c, children: n.map((m) => /* @__PURE__ */ s("option", { value: m }, m)) })
  ] }) });
}
const Jd = 20, Kd = [
  { value: "", label: "As the curve says" },
  { value: "merge", label: "Merge: pool the rows of all folds" },
  { value: "vertical", label: "Vertical: mean of y at equal x" },
  { value: "threshold", label: "Threshold: mean at equal thresholds" },
  { value: "smooth", label: "Smooth: vertical smoothing" },
  { value: "none", label: "None: every fold by itself" }
], Qd = [
  { value: "", label: "The positive class against the rest" },
  { value: "per-class", label: "Every class against the rest" },
  { value: "micro", label: "Micro: all questions pooled" },
  { value: "macro", label: "Macro: mean of the classes" }
];
function Xd({ about: e }) {
  const t = T(), n = k((c) => c.data.target) ?? e.positive, l = k((c) => c.curve.multiclass), r = (c) => t.edit("data", { target: c === e.positive ? null : c }), o = "Positive class (what is to be detected)", i = "The curve is drawn for every class, so it has no positive class; other rooms still use this one.", a = { label: o, value: n, onChange: r };
  return e.classes.length > Jd ? /* @__PURE__ */ s(eo, { ...a, choices: e.classes.map(({ name: c }) => c), hint: l ? i : `${D(e.k, "class", "classes")}; type to find one`, disabled: l !== null }) : /* @__PURE__ */ s(oe, { label: o, ...l ? { hint: i } : {}, children: (c) => /* @__PURE__ */ s("select", { id: c, value: n, disabled: l !== null, onChange: (u) => r(u.currentTarget.value), children: e.classes.map(({ name: u, rows: d }) => /* @__PURE__ */ s("option", { value: u, children: `${u} (${D(d, "row")})` }, u)) }) });
}
const Yd = "The same choice as “Averaging” of the curve panel; only the curve follows it.";
function Zd({ about: e }) {
  const t = T(), n = k((r) => r.curve.average), l = k((r) => r.curve.multiclass);
  return /* @__PURE__ */ s(_, { children: [
    e.folds.length > 1 && /* @__PURE__ */ s(O, { label: "Averaging of folds", hint: Yd, value: n ?? "", choices: Kd, onChange: (r) => t.edit("curve", { average: r || null }) }),
    e.k > 2 && /* @__PURE__ */ s(O, { label: "Averaging of classes", value: l ?? "", choices: Qd, onChange: (r) => t.edit("curve", { multiclass: r || null }) })
  ] });
}
function eh({ about: e }) {
  const [t, n] = w(!1);
  return /* @__PURE__ */ s("aside", { class: "data-panel panel", "aria-label": "Data", children: [
    /* @__PURE__ */ s("h2", { children: [
      /* @__PURE__ */ s("button", { type: "button", class: "quiet drawer", "aria-expanded": t, "aria-controls": "data-panel", onClick: () => n(!t), children: "Data: choose models, folds and rows" }),
      /* @__PURE__ */ s("span", { class: "wide", children: "Data" })
    ] }),
    /* @__PURE__ */ s("div", { id: "data-panel", class: t ? "content open" : "content", children: [
      /* @__PURE__ */ s(Bs, { of: e }),
      /* @__PURE__ */ s(th, { about: e }),
      /* @__PURE__ */ s(Xd, { about: e }),
      /* @__PURE__ */ s(Zd, { about: e }),
      /* @__PURE__ */ s(Bd, { about: e }),
      e.has_weight && /* @__PURE__ */ s(nh, { about: e }),
      /* @__PURE__ */ s(Vd, {}),
      /* @__PURE__ */ s(lh, {})
    ] })
  ] });
}
function th({ about: e }) {
  const t = T(), n = k((r) => r.data.models), l = k((r) => r.data.folds);
  return /* @__PURE__ */ s(_, { children: [
    e.models.length > 1 && /* @__PURE__ */ s(cs, { title: "Models", names: e.models, chosen: n, onChange: (r) => t.edit("data", { models: r }) }),
    e.folds.length > 1 && /* @__PURE__ */ s(cs, { title: "Folds", names: e.folds, chosen: l, onChange: (r) => t.edit("data", { folds: r }) }),
    e.folds.length <= 1 && /* @__PURE__ */ s("p", { class: "hint", children: e.folds.length === 1 ? "There is one fold, so nothing varies over folds." : "The table tells no folds." })
  ] });
}
function nh({ about: e }) {
  const t = T(), n = k((l) => l.data.weighted);
  return /* @__PURE__ */ s("div", { class: "weights", children: [
    /* @__PURE__ */ s(Ae, { label: "Weights count", checked: n, onChange: (l) => t.edit("data", { weighted: l }) }),
    /* @__PURE__ */ s("p", { class: "hint", children: n ? `The whole table counts as ${R(e.effective_n)} rows of equal weight.` : `Each of the ${D(e.n, "row")} counts the same.` })
  ] });
}
function lh() {
  const e = T(), t = k((l) => l.data);
  return t.models !== null || t.folds !== null || t.where.trim() !== "" || !t.weighted || t.target !== null ? /* @__PURE__ */ s("button", { type: "button", onClick: () => e.edit("data", { models: null, folds: null, where: "", weighted: !0, target: null }), children: "Use all rows again" }) : null;
}
class sl extends et {
  state = { message: null };
  static getDerivedStateFromError(t) {
    return { message: t instanceof Error ? t.message : String(t) };
  }
  render() {
    if (this.state.message === null) return this.props.children;
    const t = () => {
      this.props.onReset(), this.setState({ message: null });
    };
    return /* @__PURE__ */ s("div", { class: "notice", role: "alert", children: [
      /* @__PURE__ */ s("p", { children: `${this.props.title} cannot be shown as it is set: ${this.state.message}` }),
      /* @__PURE__ */ s("button", { type: "button", onClick: t, children: "Set everything here to how it was at first" })
    ] });
  }
}
const sh = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.500-1.500",
  close: "M6 6l12 12M18 6 6 18",
  columns: "M4 5h16v14H4zM9.500 5v14M14.500 5v14",
  panel: "M4 5h16v14H4zM10 5v14"
};
function In({ name: e }) {
  return /* @__PURE__ */ s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", children: /* @__PURE__ */ s("path", { d: sh[e] }) });
}
const to = () => /* @__PURE__ */ s("span", { class: "brand", children: [
  /* @__PURE__ */ s("svg", { viewBox: "0 0 16 20", "aria-hidden": "true", children: [
    /* @__PURE__ */ s("path", { d: "M8 0v8", "stroke-width": "1.5" }),
    /* @__PURE__ */ s("path", { d: "M4 8h8l-1 5-3 6-3-6z", stroke: "none" })
  ] }),
  "Plumbline"
] }), no = Vt(null), ie = () => Gt(no), rl = ["actual", "predicted", "score", "model", "fold", "repeat", "row", "weight"], rh = {
  actual: "True class",
  predicted: "Predicted class",
  score: "Score (a rating, no probability)",
  model: "Model",
  fold: "Fold",
  repeat: "Repeat",
  row: "Row (which example it is)",
  weight: "Weight",
  attribute: "Attribute"
}, oh = 30, Y = "prob:";
function lo(e) {
  return e.startsWith(Y) ? `P(${e.slice(Y.length)})` : e.startsWith("score:") ? `Score of ${e.slice(6)}` : rh[e] ?? e;
}
function ih(e, t) {
  return Object.fromEntries(e.map((n) => [n.name, ah(n, t)]));
}
function ah({ name: e, plays: t }, n) {
  if (e === n.actual) return "actual";
  if (Object.hasOwn(n.prob, e)) return `${Y}${n.prob[e]}`;
  const l = Object.hasOwn(n.rename, e) ? n.rename[e] : t;
  return l == null ? "attribute" : l.startsWith("p:") ? `${Y}${l.slice(2)}` : ch(l) ? l : "attribute";
}
const ch = (e) => rl.includes(e) || e.startsWith("score:");
function uh(e, t, n, l) {
  const r = { actual: null, prob: {}, rename: {}, positive: n, normalize: l }, o = new Set(e.map((a) => a.name));
  for (const { name: a, plays: c } of e) {
    const u = t[a] ?? "attribute";
    u === "actual" ? r.actual = a : u.startsWith(Y) && dh(c) ? r.rename[a] = us(`p:${u.slice(Y.length)}`, o) : u.startsWith(Y) ? r.prob[a] = u.slice(Y.length) : u !== "attribute" && u !== a ? r.rename[a] = u : u === "attribute" && c !== null && c !== "y_true" && c !== "y_prob" && (r.rename[a] = us(`${a}_`.replace(":", "_"), o));
  }
  const i = Object.values(r.rename).filter((a) => a.startsWith("p:"));
  for (const a of i) r.prob[a] = a.slice(2);
  return r;
}
const dh = (e) => e === "score" || (e?.startsWith("score:") ?? !1);
function us(e, t) {
  let n = e;
  for (; t.has(n); ) n = `${n}_`;
  return t.add(n), n;
}
function so(e, t) {
  const l = e.find((o) => t[o.name] === "actual")?.values ?? null, r = new Map((l ?? []).filter(({ name: o }) => o !== "").map(({ name: o, rows: i }) => [o, i]));
  for (const o of e) {
    const i = t[o.name] ?? "", a = i.slice(Y.length);
    i.startsWith(Y) && !r.has(a) && r.set(a, l ? 0 : null);
  }
  return [...r].map(([o, i]) => ({ name: o, rows: i }));
}
function hh(e, t, n) {
  const l = n.length <= oh ? n.map(({ name: i }) => `${Y}${i}`) : [], r = e.name.startsWith("p:") ? [`${Y}${e.name.slice(2)}`] : [], o = e.name.startsWith("score:") ? [e.name] : [];
  return [.../* @__PURE__ */ new Set(["attribute", "actual", ...l, ...r, ...rl.slice(1), ...o, t])];
}
function fh(e, t) {
  const n = (i) => e.filter((a) => t[a.name] === i).map((a) => a.name), l = e.map((i) => t[i.name] ?? "").filter((i) => i.startsWith(Y));
  if (!n("actual").length) return "Which column is the true class, what really happened?";
  for (const i of /* @__PURE__ */ new Set([...rl, ...l])) {
    const a = n(i);
    if (a.length > 1) return `Only one column can be “${lo(i)}”: ${a.join(", ")}.`;
  }
  const r = e.some((i) => (t[i.name] ?? "").startsWith("score"));
  if (!l.length && !r && !n("predicted").length)
    return "Which columns hold the predicted probabilities? A column of scores or of predicted classes would do, too.";
  const o = so(e, t);
  if (l.length && o.length > 2) {
    const i = o.filter(({ name: a }) => !l.includes(`${Y}${a}`)).map(({ name: a }) => a);
    if (i.length) return `With ${o.length} classes every one needs its column of probabilities; none is given for ${mh(i)}.`;
  }
  return null;
}
function mh(e) {
  const t = e.slice(0, 5).join(", ");
  return e.length > 5 ? `${t} and ${e.length - 5} more` : t;
}
function ph({ columns: e, parts: t, classes: n, onChange: l }) {
  return /* @__PURE__ */ s("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Columns of the table", children: /* @__PURE__ */ s("table", { class: "roles", children: [
    /* @__PURE__ */ s("thead", { children: /* @__PURE__ */ s("tr", { children: [
      /* @__PURE__ */ s("th", { scope: "col", children: "Column" }),
      /* @__PURE__ */ s("th", { scope: "col", children: "Meaning" }),
      /* @__PURE__ */ s("th", { scope: "col", children: "First values" })
    ] }) }),
    /* @__PURE__ */ s("tbody", { children: e.map((r) => /* @__PURE__ */ s(gh, { column: r, part: t[r.name] ?? "attribute", classes: n, onChange: l }, r.name)) })
  ] }) });
}
function gh({ column: e, part: t, classes: n, onChange: l }) {
  return /* @__PURE__ */ s("tr", { class: t === "attribute" ? "attribute" : void 0, children: [
    /* @__PURE__ */ s("th", { scope: "row", children: [
      e.name,
      " ",
      /* @__PURE__ */ s("small", { children: e.type })
    ] }),
    /* @__PURE__ */ s("td", { children: /* @__PURE__ */ s("select", { "aria-label": `Meaning of ${e.name}`, value: t, onChange: (r) => l(e.name, r.currentTarget.value), children: hh(e, t, n).map((r) => /* @__PURE__ */ s("option", { value: r, children: lo(r) }, r)) }) }),
    /* @__PURE__ */ s("td", { class: "values", children: e.examples.map((r) => r === "" ? "(empty)" : r).join(", ") })
  ] });
}
const bh = 12;
function vh({ classes: e, chosen: t, onChange: n }) {
  const l = K();
  if (!e.length) return null;
  const r = "Which outcome are you trying to detect?";
  return e.length > bh ? /* @__PURE__ */ s(eo, { label: r, value: t ?? "", choices: e.map(({ name: o }) => o), onChange: n, hint: `${D(e.length, "class", "classes")}; type to find one` }) : /* @__PURE__ */ s("fieldset", { class: "positive", children: [
    /* @__PURE__ */ s("legend", { children: r }),
    e.map(({ name: o, rows: i }) => /* @__PURE__ */ s("label", { class: "check", children: [
      /* @__PURE__ */ s("input", { type: "radio", name: l, checked: o === t, onChange: () => n(o) }),
      /* @__PURE__ */ s("span", { children: [
        o,
        " ",
        i !== null && /* @__PURE__ */ s("small", { children: D(i, "row") })
      ] })
    ] }, o))
  ] });
}
function ro({ table: e, known: t = null, onOpened: n, onCancel: l }) {
  const { host: r } = ie(), [o, i] = w(null), [a, c] = w(null);
  return L(() => {
    let u = !0;
    return r.columns(e).then(
      (d) => u && i(d),
      (d) => u && c(ce(d))
    ), () => {
      u = !1;
    };
  }, [r, e]), a ? /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s(te, { failure: a }),
    /* @__PURE__ */ s("div", { children: /* @__PURE__ */ s("button", { type: "button", onClick: l, children: "Back" }) })
  ] }) : o === null ? /* @__PURE__ */ s(mt, { what: "Looking at the columns" }) : /* @__PURE__ */ s(yh, { table: e, found: o, first: t ?? o.guess, onOpened: n, onCancel: l });
}
function yh({ table: e, found: t, first: n, onOpened: l, onCancel: r }) {
  const { host: o } = ie(), [i, a] = w(() => ih(t.columns, n)), [c, u] = w(n.positive), [d, f] = w(n.normalize), [h, m] = w(!1), [p, g] = w(!1), [b, y] = w(null), v = so(t.columns, i), x = v.some(({ name: S }) => S === c) ? c : v.at(-1)?.name ?? null, C = fh(t.columns, i);
  return /* @__PURE__ */ s("form", { class: "columns-form stack", onSubmit: async (S) => {
    S.preventDefault();
    const j = uh(t.columns, i, x, d);
    g(!0), y(null);
    try {
      l(await o.open(e, j), j);
    } catch (q) {
      y(ce(q)), g(!1);
    }
  }, children: [
    /* @__PURE__ */ s("p", { class: "hint", children: [
      D(t.rows, "row"),
      ", ",
      D(t.columns.length, "column"),
      ". The meanings below are a guess: look them over and correct what is wrong."
    ] }),
    /* @__PURE__ */ s(
      ph,
      {
        columns: t.columns,
        parts: i,
        classes: v,
        onChange: (S, j) => {
          a({ ...i, [S]: j }), m(!0), y(null);
        }
      }
    ),
    /* @__PURE__ */ s(vh, { classes: v, chosen: x, onChange: u }),
    x === t.guess.positive && !ds(n, t.guess) && t.positive_why && /* @__PURE__ */ s("p", { class: "hint", children: t.positive_why }),
    /* @__PURE__ */ s(Ae, { label: "Probabilities do not sum to 1: divide each row by its sum", checked: d, onChange: f }),
    !h && t.problem && !ds(n, t.guess) && /* @__PURE__ */ s(te, { failure: { kind: "input", message: t.problem } }),
    C && /* @__PURE__ */ s("p", { class: "hint lacking", children: C }),
    b && /* @__PURE__ */ s(te, { failure: b }),
    /* @__PURE__ */ s("footer", { class: "row", children: [
      /* @__PURE__ */ s("button", { class: "primary", disabled: p || C !== null, children: p ? "Opening …" : "Open" }),
      /* @__PURE__ */ s("button", { type: "button", onClick: r, children: "Cancel" })
    ] })
  ] });
}
const ds = (e, t) => e !== t;
function ol({ title: e, onClose: t, wide: n, children: l }) {
  const r = N(null), o = K();
  return L(() => {
    const i = r.current;
    return i.open || i.showModal(), () => i.close();
  }, []), /* @__PURE__ */ s("dialog", { ref: r, class: n ? "wide" : void 0, "aria-labelledby": o, onClose: t, onCancel: t, children: [
    /* @__PURE__ */ s("header", { children: [
      /* @__PURE__ */ s("h2", { id: o, children: e }),
      /* @__PURE__ */ s("button", { type: "button", class: "icon quiet", "aria-label": "Close", onClick: t, children: /* @__PURE__ */ s(In, { name: "close" }) })
    ] }),
    l
  ] });
}
function wh({ onClose: e }) {
  const t = ie(), n = T(), { table: l } = le(), r = (o, i) => {
    const { board: a } = n.state;
    t.open(o, i), n.replace({ ...n.state, board: a });
  };
  return /* @__PURE__ */ s(ol, { title: "What do the columns mean?", wide: !0, onClose: e, children: /* @__PURE__ */ s(ro, { table: l, known: t.roles(l), onOpened: r, onCancel: e }) });
}
const _h = 2500, kh = 6e3, hs = "The board is not in it: use Save board.";
function xh() {
  const e = T(), t = k((a) => a.board.pins.length > 0), [n, l] = w(!1), [r, o] = w(null);
  return L(() => {
    if (!n) return;
    const a = setTimeout(() => l(!1), t ? kh : _h);
    return () => clearTimeout(a);
  }, [n, t]), /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("button", { type: "button", class: "quiet", onClick: async () => {
      const a = `${location.origin}${location.pathname}${Kt(e.state)}`;
      try {
        await navigator.clipboard.writeText(a), l(!0);
      } catch {
        o(a);
      }
    }, children: "Copy link" }),
    /* @__PURE__ */ s("span", { role: "status", children: n && /* @__PURE__ */ s("span", { class: "toast", children: t ? `Link copied. ${hs}` : "Link copied." }) }),
    r !== null && /* @__PURE__ */ s(ol, { title: "Link to what is shown", onClose: () => o(null), children: /* @__PURE__ */ s(oe, { label: "Address", hint: `It works as long as this server runs and the table is open.${t ? ` ${hs}` : ""}`, children: (a) => /* @__PURE__ */ s("input", { id: a, readOnly: !0, value: r, onFocus: (c) => c.currentTarget.select() }) }) })
  ] });
}
function $h({ key: e, ctrlKey: t, metaKey: n, altKey: l, shiftKey: r }) {
  if (l) return null;
  if (t || n) {
    const o = e.toLowerCase();
    return o === "z" ? r ? "redo" : "undo" : o === "y" && !r ? "redo" : null;
  }
  return e === "?" ? "help" : null;
}
const Sh = /* @__PURE__ */ new Set(["text", "search", "number", "url", "email", "password", "tel", "date"]);
function Ch(e) {
  return e instanceof HTMLElement ? e instanceof HTMLInputElement ? Sh.has(e.type) : e instanceof HTMLTextAreaElement || e instanceof HTMLSelectElement || e.isContentEditable : !1;
}
const Th = [
  ["Ctrl+Z", "Undo the last change (⌘Z on a Mac)"],
  ["Ctrl+Shift+Z", "Redo it; Ctrl+Y does the same"],
  ["Tab, Shift+Tab", "Go to the next or the previous control"],
  ["← →", "In a chart: move the threshold along the curve"],
  ["Ctrl+Space", "In a formula: offer names"],
  ["Esc", "Close a list, a menu or a window"],
  ["?", "Show this list"]
];
function Mh({ open: e, onOpen: t, onClose: n }) {
  const l = T(), { host: r, theme: o } = ie(), i = r.notebook ? o.root : document;
  return L(() => {
    const a = (c) => {
      if (c.defaultPrevented || Ch(c.target) || document.querySelector("dialog[open]")) return;
      const u = $h(c);
      u !== null && (c.preventDefault(), u === "undo" ? l.undo() : u === "redo" ? l.redo() : t());
    };
    return i.addEventListener("keydown", a), () => i.removeEventListener("keydown", a);
  }, [l, t, i]), e ? /* @__PURE__ */ s(ol, { title: "Keyboard", onClose: n, children: /* @__PURE__ */ s("dl", { class: "facts keys", children: Th.map(([a, c]) => /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("dt", { children: /* @__PURE__ */ s("kbd", { children: a }) }),
    /* @__PURE__ */ s("dd", { children: c })
  ] })) }) }) : null;
}
const Ah = {
  left: "M19 12H5m6-6-6 6 6 6",
  right: "M5 12h14m-6-6 6 6-6 6",
  up: "M12 19V5m-6 6 6-6 6 6",
  down: "M12 5v14m-6-6 6 6 6-6",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01"
};
function oo({ name: e }) {
  return /* @__PURE__ */ s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", children: /* @__PURE__ */ s("path", { d: Ah[e] }) });
}
const Nh = ["left", "right", "up", "down"];
function Oh({ pin: e, canGo: t, go: n, dragged: l, onDrag: r, onDropped: o }) {
  const i = T(), a = K(), c = K(), u = (f, h) => i.edit("board", { pins: dc(i.state.board.pins, e.id, f) }, `${h} ${e.id}`), d = e.title || "untitled card";
  return /* @__PURE__ */ s(
    "li",
    {
      class: l ? "block board-card dragged" : "block board-card",
      "data-card": e.id,
      onDragOver: (f) => f.preventDefault(),
      onDrop: (f) => {
        f.preventDefault(), o();
      },
      children: [
        /* @__PURE__ */ s("header", { children: [
          /* @__PURE__ */ s(
            "span",
            {
              class: "grip",
              title: "Drag to move the card",
              draggable: !0,
              onDragStart: (f) => {
                f.dataTransfer?.setData("text/plain", d);
                const h = f.currentTarget.closest("li");
                h && f.dataTransfer?.setDragImage(h, 10, 10), r(!0);
              },
              onDragEnd: () => r(!1),
              children: /* @__PURE__ */ s(oo, { name: "grip" })
            }
          ),
          /* @__PURE__ */ s("label", { for: a, class: "visually-hidden", children: "Title of the card" }),
          /* @__PURE__ */ s("input", { id: a, class: "card-title", value: e.title, placeholder: "Title", maxLength: 200, onInput: (f) => u({ title: f.currentTarget.value }, "title") }),
          /* @__PURE__ */ s(Rh, { name: d, canGo: t, go: n })
        ] }),
        e.question && /* @__PURE__ */ s(Ph, { pin: e }),
        /* @__PURE__ */ s("div", { class: "card-note", children: [
          /* @__PURE__ */ s("label", { for: c, class: e.question ? "label" : "visually-hidden", children: "Note" }),
          /* @__PURE__ */ s("textarea", { id: c, rows: Eh(e), value: e.note, placeholder: "What is to be seen here?", maxLength: 2e4, onInput: (f) => u({ note: f.currentTarget.value }, "note") })
        ] }),
        /* @__PURE__ */ s(Ih, { pin: e, name: d })
      ]
    }
  );
}
const Eh = (e) => Math.min(12, Math.max(e.question ? 2 : 4, e.note.split(`
`).length + 1));
function Ph({ pin: e }) {
  const t = e.question, n = Object.hasOwn(En, t.kind) ? En[t.kind] : null;
  return n ? /* @__PURE__ */ s(sl, { title: e.title, onReset: () => {
  }, children: /* @__PURE__ */ s(n, { question: t, compact: !0 }) }) : /* @__PURE__ */ s("p", { class: "hint", children: "This kind of result cannot be drawn here." });
}
function Rh({ name: e, canGo: t, go: n }) {
  return /* @__PURE__ */ s("div", { class: "moves", role: "group", "aria-label": `Move ${e}`, children: Nh.map((l) => /* @__PURE__ */ s("button", { type: "button", class: "icon quiet", "data-step": l, "aria-label": `Move ${e} ${l}`, disabled: !t(l), onClick: () => n(l), children: /* @__PURE__ */ s(oo, { name: l }) }, l)) });
}
function Ih({ pin: e, name: t }) {
  const n = T();
  return /* @__PURE__ */ s("div", { class: "tools", children: [
    e.question && e.from !== null && /* @__PURE__ */ s("button", { type: "button", "aria-label": `Open ${t} in its room`, onClick: () => n.change(mc(e, n.state)), children: "Open in its room" }),
    e.question && /* @__PURE__ */ s(pe, { question: e.question, name: t }),
    /* @__PURE__ */ s("button", { type: "button", "aria-label": `Duplicate ${t}`, onClick: () => n.edit("board", { pins: hc(n.state.board.pins, e.id) }), children: "Duplicate" }),
    /* @__PURE__ */ s("button", { type: "button", "aria-label": `Remove ${t}`, onClick: () => n.edit("board", { pins: gr(n.state.board.pins, e.id) }), children: "Remove" })
  ] });
}
const Lh = 0.75;
function Dh() {
  const { told: e, warning: t, failure: n, busy: l, progress: r, cancel: o, save: i, open: a, page: c } = Fh(), u = N(null), d = T();
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("button", { type: "button", disabled: l, onClick: () => void i(), children: "Save board" }),
    /* @__PURE__ */ s("button", { type: "button", disabled: l, onClick: () => u.current?.click(), children: "Open board" }),
    /* @__PURE__ */ s(
      "input",
      {
        ref: u,
        type: "file",
        accept: ".json,application/json",
        "aria-label": "Board file",
        hidden: !0,
        onChange: (f) => {
          const h = f.currentTarget.files?.[0];
          f.currentTarget.value = "", h && a(h);
        }
      }
    ),
    /* @__PURE__ */ s("button", { type: "button", disabled: l || !d.state.board.pins.length, onClick: () => void c(), children: "Export page" }),
    /* @__PURE__ */ s("div", { class: "board-told", role: "status", children: [
      !l && e,
      t && /* @__PURE__ */ s("p", { class: "notice", children: t })
    ] }),
    l && /* @__PURE__ */ s(mt, { what: "Making the file", progress: r, cancel: o }),
    n && /* @__PURE__ */ s(te, { failure: n })
  ] });
}
function Fh() {
  const e = T(), t = le(), { start: n } = ie(), [l, r] = w(null), o = N(null);
  L(() => () => o.current?.abort(), []);
  const [i, a] = w(""), [c, u] = w(""), [d, f] = w(null), [h, m] = w(!1), p = async (C) => {
    const $ = new AbortController();
    o.current = $, r(null), m(!0), f(null), u(""), a("");
    try {
      a(await C({ signal: $.signal, onProgress: (S, j) => r(j ? S / j : null) }));
    } catch (S) {
      f(S instanceof ne ? { kind: "input", message: S.message } : ce(S));
    } finally {
      m(!1);
    }
  }, g = async () => await t.ask({ kind: "fingerprint" });
  return { told: i, warning: c, failure: d, busy: h, progress: l, cancel: () => o.current?.abort(), save: () => p(async () => {
    const { plumbline: C, ...$ } = await g(), { board: S } = e.state, j = $d({ board: S, data: $, state: Kt({ ...e.state, table: null }) }, C), q = `${Ya(S.name)}.plumbline.json`;
    return qt({ filename: q, mime: "application/json", bytes: new TextEncoder().encode(j) }), `Saved ${q}.`;
  }), open: (C) => p(async () => {
    if (C.size > xd) throw new ne("This file is larger than 5 MB; a board is smaller.");
    const $ = Sd(await C.text(), Zr), S = await g(), j = $.data.fingerprint === S.fingerprint, { state: q } = e, Q = j ? { ...Qt($.state), table: q.table } : q;
    return e.change({ ...Q, room: "board", board: $.board }), j || u(`This board was made from other rows: ${$.data.name}, ${D($.data.n, "row")}. Its charts are drawn from the table that is open now, ${S.name}.`), `Opened ${$.board.name}: ${D($.board.pins.length, "card")}.`;
  }), page: () => p(async (C) => {
    const { name: $, pins: S } = e.state.board, j = n?.limits.seconds === void 0 ? null : Lh * n.limits.seconds, q = { kind: "board", pins: S.map(({ title: V, note: ee, question: tn }) => ({ title: V, note: ee, question: tn })), seconds: j }, Q = await t.host.ask(t.table, { kind: "export", what: q, format: "html", title: $ || "Board" }, C);
    return qt(Q), Q.left_out && u(`${D(Q.left_out, "card")} of ${S.length} could not be drawn in time; the page says which, and why.`), `Saved ${Q.filename}.`;
  }) };
}
function jh(e) {
  const t = T(), n = k((r) => r.board), l = K();
  return /* @__PURE__ */ s("div", { class: "stack board", children: [
    /* @__PURE__ */ s("div", { class: "panel board-head", children: [
      /* @__PURE__ */ s("div", { class: "field", children: [
        /* @__PURE__ */ s("label", { for: l, children: "Name of the board" }),
        /* @__PURE__ */ s("input", { id: l, value: n.name, maxLength: 200, onInput: (r) => t.edit("board", { name: r.currentTarget.value }, "board name") })
      ] }),
      /* @__PURE__ */ s("div", { class: "tools", children: [
        /* @__PURE__ */ s("button", { type: "button", disabled: n.pins.length >= ht, onClick: () => t.edit("board", { pins: [...t.state.board.pins, cc()] }), children: "Add note" }),
        /* @__PURE__ */ s(Dh, {})
      ] })
    ] }),
    n.pins.length > 0 && /* @__PURE__ */ s("p", { class: "hint", children: "Every chart keeps the rows and settings it was pinned with; the data panel does not change it." }),
    n.pins.length ? /* @__PURE__ */ s(Wh, {}) : /* @__PURE__ */ s(qh, {})
  ] });
}
const qh = () => /* @__PURE__ */ s("div", { class: "empty", children: [
  /* @__PURE__ */ s("p", { children: "Nothing is pinned yet. “Pin” beside any chart puts it here, drawn from the data and ready for a note." }),
  /* @__PURE__ */ s("p", { children: "A board can be saved as a file, opened again on this or another table, and exported as one page." })
] });
function Wh() {
  const e = T(), t = k((f) => f.board.pins), n = N(null), l = Bh(n), [r, o] = w(null), [i, a] = w(""), c = N(null);
  ye(() => {
    if (!c.current) return;
    const { id: f, step: h } = c.current;
    c.current = null;
    const m = n.current?.querySelector(`[data-card="${f}"]`), p = m?.querySelector(`[data-step="${h}"]`);
    (p?.disabled ? m?.querySelector("[data-step]:not(:disabled), .card-title") : p)?.focus();
  }, [t]);
  const u = (f, h) => f + { left: -1, right: 1, up: -l, down: l }[h], d = (f, h) => {
    const m = t.find((p) => p.id === f)?.title ?? "";
    e.edit("board", { pins: fc(e.state.board.pins, f, h) }), a(`${m} is now card ${h + 1} of ${t.length}.`);
  };
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("ul", { class: "board-cards", ref: n, children: t.map((f, h) => /* @__PURE__ */ s(
      Oh,
      {
        pin: f,
        canGo: (m) => u(h, m) >= 0 && u(h, m) < t.length && !(l === 1 && (m === "left" || m === "right")),
        go: (m) => {
          c.current = { id: f.id, step: m }, d(f.id, u(h, m));
        },
        dragged: r === f.id,
        onDrag: (m) => o(m ? f.id : null),
        onDropped: () => {
          r !== null && r !== f.id && d(r, h), o(null);
        }
      },
      f.id
    )) }),
    /* @__PURE__ */ s("p", { class: "visually-hidden", role: "status", children: i })
  ] });
}
function Bh(e) {
  const [t, n] = w(1);
  return L(() => {
    const l = e.current;
    if (!l) return;
    const r = () => n(Math.max(1, getComputedStyle(l).gridTemplateColumns.split(" ").length));
    r();
    const o = new ResizeObserver(r);
    return o.observe(l), () => o.disconnect();
  }, [e]), t;
}
const Uh = 5e8;
function Hh({ question: e, labels: t, what: n, children: l }) {
  const r = le(), [o, i] = w(null), a = JSON.stringify(e);
  return t <= Uh || o === a || r.known(e) !== void 0 ? /* @__PURE__ */ s(_, { children: l() }) : /* @__PURE__ */ s("div", { class: "row", children: [
    /* @__PURE__ */ s("button", { onClick: () => i(a), children: n }),
    /* @__PURE__ */ s(A, { children: "On so many rows this may take a minute; fewer draws (under “More”) are quicker." })
  ] });
}
function Te({ question: e, title: t, controls: n, heading: l = !0, labels: r = 0 }) {
  const o = fr[e.kind];
  return /* @__PURE__ */ s("section", { class: l ? "block" : "cal-inner", "aria-label": t, children: [
    /* @__PURE__ */ s("header", { children: [
      l && /* @__PURE__ */ s("h2", { children: t }),
      n,
      /* @__PURE__ */ s("div", { class: "tools", children: [
        /* @__PURE__ */ s(ge, { question: e, title: t }),
        /* @__PURE__ */ s(pe, { question: e, name: t })
      ] })
    ] }),
    /* @__PURE__ */ s(Hh, { question: e, labels: r, what: "Compute", children: () => /* @__PURE__ */ s(o, { question: e }) })
  ] });
}
function zh({ label: e, value: t, min: n, max: l, disabled: r = !1, onChange: o }) {
  const i = (a) => {
    const c = Number(a);
    a !== "" && Number.isInteger(c) && c >= n && c <= l && o(c);
  };
  return /* @__PURE__ */ s(oe, { label: e, children: (a) => /* @__PURE__ */ s("div", { class: "slider", children: [
    /* @__PURE__ */ s("input", { type: "range", id: a, min: n, max: l, step: 1, value: t, disabled: r, onInput: (c) => i(c.currentTarget.value) }),
    /* @__PURE__ */ s("input", { type: "number", "aria-label": `${e}, as a number`, min: n, max: l, step: 1, value: t, disabled: r, onInput: (c) => i(c.currentTarget.value) })
  ] }) });
}
function il(e, t) {
  const { models: n } = t.data;
  return n === null ? e.models : e.models.filter((l) => n.includes(l));
}
function Zt(e, t) {
  const n = il(e, t), l = t.calibration.model;
  return l !== null && n.includes(l) ? l : n[0] ?? null;
}
const al = (e) => Xn.find((t) => t.value === e)?.numbered ?? !0;
function cl({ scheme: e, bins: t, least: n, view: l }) {
  if (l === "joint") return null;
  const r = al(e) ? `${e}:${t}` : e;
  return n !== null && en(e) ? `${r},min=${n}` : r;
}
const en = (e) => !["monotone-sweep", "isotonic", "one-per-point"].includes(e);
function Le(e, t, n) {
  return { kind: e, data: de(t.data), model: n };
}
function io(e, t) {
  const { view: n, distance: l, resamples: r, others: o } = e.calibration, i = { ...Le("reliability", e, t), view: n, bins: cl(e.calibration), distance: l, resamples: r };
  return o ? { ...i, others: o } : i;
}
function Vh(e, t) {
  const { statistic: n, view: l, distance: r, resamples: o } = e.calibration, i = { ...Le("calibration-test", e, t), statistic: n, resamples: o };
  return n === "ece" ? { ...i, view: l, bins: cl(e.calibration), distance: r } : { ...i, view: He(l) ? l : null };
}
function Gh(e, t) {
  const { view: n, resamples: l } = e.calibration;
  return { ...Le("diagnosis", e, t), view: He(n) ? n : null, resamples: l };
}
function fs(e, t, n) {
  const { view: l, distance: r, resamples: o, scheme: i } = e.calibration, a = { ...Le("groups", e, t), by: n, resamples: o };
  return n === null ? { ...a, view: l === "joint" ? null : l } : { ...a, view: He(l) ? l : null, bins: en(i) && He(l) ? cl(e.calibration) : null, distance: r };
}
function Jh(e, t) {
  const { view: n, distance: l } = e.calibration;
  return { ...Le("sensitivity", e, t), view: n === "joint" ? null : n, distance: l };
}
const Kh = ({ effect: e, sizes: t }) => `${e}:${t[e] ?? hr(e).size}`;
function Qh(e, t) {
  const { power: n, level: l, n: r, planStatistic: o, datasets: i } = e.calibration;
  return { ...Le("plan", e, t), effect: Kh(e.calibration), power: n, level: l, n: r, statistic: o, datasets: i };
}
function Xh(e, t) {
  const { method: n, resamples: l } = e.calibration;
  return { ...Le("recalibration", e, t), method: n, resamples: l };
}
function Yh(e, t) {
  const { view: n, scheme: l, bins: r, least: o, distance: i } = t.calibration, a = Fs, c = l !== a.scheme || al(l) && r !== a.bins || o !== null, u = e === "worst" || e === "sensitivity" ? n !== "joint" : He(n), d = [];
  if (u || d.push("The view above is none that this section knows: it looks at its usual one."), e === "groups")
    return en(l) || d.push("Groups have bins with fixed edges: these are the usual 15 of equal width, not those above."), d;
  const f = [...c ? ["bins"] : [], ...e !== "sensitivity" && i !== a.distance ? ["distance"] : []];
  return f.length && d.push(`The ${f.join(" and ")} chosen above play${f.length === 1 && f[0] === "distance" ? "s" : ""} no part here.`), d;
}
const Zh = 2, ef = 100, De = () => {
  const e = T();
  return (t, n = null) => e.edit("calibration", t, n);
};
function tf({ about: e }) {
  const t = k((f) => f.data), n = k((f) => f.calibration), l = De(), r = { data: t, calibration: n }, o = il(e, r), { view: i, scheme: a, bins: c } = n, u = Ga(e, t.target), d = i === "joint";
  return /* @__PURE__ */ s("section", { class: "panel cal-asked", "aria-label": "What is measured", children: [
    /* @__PURE__ */ s("div", { class: "cal-controls", children: [
      o.length > 1 && /* @__PURE__ */ s(O, { label: "Model", value: Zt(e, r) ?? "", choices: o.map((f) => ({ value: f, label: f })), onChange: (f) => l({ model: f }) }),
      /* @__PURE__ */ s(O, { label: "View", value: i ?? "", choices: u, onChange: (f) => l({ view: f || null, ...f === "joint" && !Ul("joint").some((h) => h.value === n.distance) ? { distance: "absolute" } : {} }) }),
      /* @__PURE__ */ s(O, { label: "Bins", value: a, choices: Xn, onChange: (f) => l({ scheme: f }), ...d ? { hint: "Whole vectors need none." } : {} }),
      /* @__PURE__ */ s(zh, { label: "Number of bins", value: c, min: Zh, max: ef, disabled: !al(a) || d, onChange: (f) => l({ bins: f }, "calibration bins") }),
      /* @__PURE__ */ s(O, { label: "Distance", value: n.distance, choices: Ul(i), onChange: (f) => l({ distance: f }) })
    ] }),
    /* @__PURE__ */ s("details", { children: [
      /* @__PURE__ */ s("summary", { children: "More" }),
      /* @__PURE__ */ s("div", { class: "cal-controls", children: [
        /* @__PURE__ */ s(O, { label: "Draws under the null", value: String(n.resamples), choices: Va, onChange: (f) => l({ resamples: Number(f) }), hint: "More draws, finer p-values." }),
        en(a) && !d && /* @__PURE__ */ s(J, { label: "Fewest rows in a bin", value: n.least, min: 1, step: 1, onChange: (f) => l({ least: f === null ? null : Math.max(1, Math.round(f)) }, "calibration least"), hint: "Smaller bins join their neighbour." }),
        o.length > 1 && /* @__PURE__ */ s(Ae, { label: "Show the other models in grey", checked: n.others, onChange: (f) => l({ others: f }) })
      ] })
    ] })
  ] });
}
function Bt({ section: e }) {
  k((n) => n.data);
  const t = k((n) => n.calibration);
  return /* @__PURE__ */ s(_, { children: Yh(e, { calibration: t }).map((n) => /* @__PURE__ */ s(A, { children: n }, n)) });
}
function nf({ about: e, model: t }) {
  const n = k((c) => c.data), l = k((c) => c.calibration), r = De(), o = e.attributes.map((c) => c.name);
  if (!o.length) return /* @__PURE__ */ s(A, { children: "The table has no column beside the predictions to make groups of." });
  const i = l.by !== null && o.includes(l.by) ? l.by : o[0], a = { data: n, calibration: l };
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s(
      Te,
      {
        question: fs(a, t, i),
        title: `Calibration by ${i}`,
        controls: /* @__PURE__ */ s(_, { children: [
          /* @__PURE__ */ s(O, { label: "Groups of", value: i, choices: o.map((c) => ({ value: c, label: c })), onChange: (c) => r({ by: c }) }),
          /* @__PURE__ */ s(Bt, { section: "groups" })
        ] }),
        heading: !1
      }
    ),
    l.worst ? /* @__PURE__ */ s(Te, { question: fs(a, t, null), title: "Worst slice", controls: /* @__PURE__ */ s(_, { children: [
      /* @__PURE__ */ s("h3", { children: "Worst slice" }),
      /* @__PURE__ */ s(Bt, { section: "worst" })
    ] }), heading: !1 }) : /* @__PURE__ */ s("div", { class: "row", children: [
      /* @__PURE__ */ s("button", { onClick: () => r({ worst: !0 }), children: "Search the worst slice" }),
      /* @__PURE__ */ s(A, { children: "Looks at all groups and pairs of groups of all columns; the p-value knows how many." })
    ] })
  ] });
}
function lf({ model: e }) {
  const t = k((d) => d.data), n = k((d) => d.calibration), l = De(), r = I({ kind: "recalibration", data: de(t), model: e, lines: n.method }), o = r.answer?.methods ?? [], i = o.find((d) => d.name === n.method), a = [{ value: "auto", label: "All that suit: take the best, if any helps" }, ...o.map((d) => ({ value: d.name, label: d.why_not === null ? d.title : `${d.title} – ${d.why_not}` }))], c = Xh({ data: t, calibration: n }, e), u = r.answer?.lines;
  return /* @__PURE__ */ s(_, { children: [
    r.error && /* @__PURE__ */ s(te, { failure: r.error, retry: r.retry }),
    /* @__PURE__ */ s(
      Te,
      {
        question: c,
        title: `Recalibration${e === null ? "" : ` of ${e}`}`,
        controls: /* @__PURE__ */ s(O, { label: "Method", value: n.method, choices: a, onChange: (d) => l({ method: d }), ...i ? { hint: `${i.text} ${i.source}.` } : {} }),
        heading: !1
      }
    ),
    u && /* @__PURE__ */ s("details", { children: [
      /* @__PURE__ */ s("summary", { children: "Do it on the command line or in Python" }),
      /* @__PURE__ */ s("p", { children: [
        "The rows chosen here must be ones that the model was not fitted on; ",
        /* @__PURE__ */ s("code", { children: "new.csv" }),
        " holds those to mend."
      ] }),
      /* @__PURE__ */ s("pre", { tabIndex: 0, "aria-label": "Command line", children: u.shell }),
      u.left_out.map((d) => /* @__PURE__ */ s(A, { children: d }, d)),
      /* @__PURE__ */ s("pre", { tabIndex: 0, "aria-label": "Python", children: u.python })
    ] })
  ] });
}
const sf = [{ value: "auto", label: "The best of all (slower)" }, ...dr], rf = [
  { value: "50", label: "Quick: 50 data sets a point, the power ± 0.06" },
  { value: "", label: "Usual: 50 to 300 a point, as many as rows allow" }
];
function of({ model: e }) {
  const t = k((f) => f.data), n = k((f) => f.calibration), l = le(), r = Qh({ data: t, calibration: n }, e), [o, i] = w(r), [a, c] = w(l.known(r) !== void 0), u = JSON.stringify(o) === JSON.stringify(r);
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s(af, {}),
    /* @__PURE__ */ s("div", { class: "row", children: [
      /* @__PURE__ */ s("button", { class: "primary", onClick: () => {
        i(r), c(!0);
      }, disabled: a && u, children: a ? "Plan again" : "Plan" }),
      /* @__PURE__ */ s(A, { children: a && !u ? "The plan below is of the settings before." : "Data sets are simulated from these predictions. It may take a minute, with many classes several: then simulate quickly, or plan for another test." })
    ] }),
    a && /* @__PURE__ */ s(Te, { question: o, title: `Power and sample size${e === null ? "" : ` of ${e}`}`, heading: !1 })
  ] });
}
function af() {
  const e = k((r) => r.calibration), t = De(), n = hr(e.effect), l = e.sizes[n.value] ?? n.size;
  return /* @__PURE__ */ s("div", { class: "cal-controls", children: [
    /* @__PURE__ */ s(O, { label: "Effect to detect", value: n.value, choices: Sn, onChange: (r) => t({ effect: r }) }),
    /* @__PURE__ */ s(J, { label: n.unit, value: l, min: n.min, ...n.max === void 0 ? {} : { max: n.max }, step: n.step, hint: n.hint, onChange: (r) => r !== null && t({ sizes: { ...e.sizes, [n.value]: r } }, "plan size") }),
    /* @__PURE__ */ s(J, { label: "Power", value: e.power, min: 0.06, max: 0.99, step: 0.05, onChange: (r) => r !== null && t({ power: r }, "plan power") }),
    /* @__PURE__ */ s(J, { label: "Level", value: e.level, min: 1e-3, max: 0.5, step: 0.01, onChange: (r) => r !== null && t({ level: r }, "plan level") }),
    /* @__PURE__ */ s(J, { label: "Rows", value: e.n, min: 2, step: 1, onChange: (r) => t({ n: r }, "plan rows"), hint: "Empty: as many as there are." }),
    /* @__PURE__ */ s(O, { label: "Planned test", value: e.planStatistic, choices: sf, onChange: (r) => t({ planStatistic: r }) }),
    /* @__PURE__ */ s(O, { label: "Simulation", value: e.datasets === null ? "" : String(e.datasets), choices: rf, onChange: (r) => t({ datasets: r === "" ? null : Number(r) }) })
  ] });
}
function Xe({ name: e, title: t, text: n, children: l }) {
  const r = k((c) => c.calibration.open), o = De(), i = r.includes(e), a = (c) => {
    c !== i && o({ open: c ? [...r, e] : r.filter((u) => u !== e) });
  };
  return /* @__PURE__ */ s("details", { class: "panel cal-section", open: i, onToggle: (c) => a(c.currentTarget.open), children: [
    /* @__PURE__ */ s("summary", { children: [
      /* @__PURE__ */ s("h2", { children: t }),
      /* @__PURE__ */ s("span", { class: "hint", children: n })
    ] }),
    i && /* @__PURE__ */ s("div", { class: "stack", children: l() })
  ] });
}
function cf({ about: e }) {
  const t = k((a) => a.data), n = k((a) => a.calibration), l = { data: t, calibration: n }, r = Zt(e, l), o = /* @__PURE__ */ s(Xe, { name: "recalibration", title: "Recalibration", text: "Can the probabilities be mended, and by what?", children: () => /* @__PURE__ */ s(lf, { model: r }) });
  if (!e.has_prob)
    return /* @__PURE__ */ s("div", { class: "stack", children: [
      /* @__PURE__ */ s(uf, { about: e }),
      e.has_score && o
    ] });
  const i = r === null ? "" : ` of ${r}`;
  return /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s(tf, { about: e }),
    /* @__PURE__ */ s(Te, { question: io(l, r), title: `Reliability${i}` }),
    il(e, l).length > 1 && /* @__PURE__ */ s(df, { about: e }),
    /* @__PURE__ */ s(hf, { about: e }),
    /* @__PURE__ */ s(Xe, { name: "diagnosis", title: "Diagnosis", text: "What is wrong, by how much, and what would mend it?", children: () => /* @__PURE__ */ s(Te, { question: Gh(l, r), title: `Diagnosis${i}`, controls: /* @__PURE__ */ s(_, { children: [
      /* @__PURE__ */ s(A, { children: "A test decides whether to speak; then the likeliest shape is named." }),
      /* @__PURE__ */ s(Bt, { section: "diagnosis" })
    ] }), heading: !1 }) }),
    /* @__PURE__ */ s(Xe, { name: "groups", title: "Groups", text: "Is every group of rows calibrated?", children: () => /* @__PURE__ */ s(nf, { about: e, model: r }) }),
    /* @__PURE__ */ s(Xe, { name: "sensitivity", title: "Sensitivity to bins", text: "How much does the error depend on the bins?", children: () => /* @__PURE__ */ s(Te, { question: Jh(l, r), title: `Sensitivity to bins${i}`, controls: /* @__PURE__ */ s(_, { children: [
      /* @__PURE__ */ s(A, { children: "The same error with 2 to 100 bins, each beside its own null of 199 draws." }),
      /* @__PURE__ */ s(Bt, { section: "sensitivity" })
    ] }), heading: !1 }) }),
    /* @__PURE__ */ s(Xe, { name: "plan", title: "Power and sample size", text: "What could so many rows show, and how many would it take?", children: () => /* @__PURE__ */ s(of, { model: r }) }),
    o
  ] });
}
function uf({ about: e }) {
  return /* @__PURE__ */ s("div", { class: "empty", children: [
    /* @__PURE__ */ s("h2", { children: "No probabilities to check" }),
    /* @__PURE__ */ s("p", { children: [
      "Calibration asks whether what was given a probability of 0.8 happens in 80 of 100 cases. ",
      e.has_score ? "This table holds ratings, which are no probabilities: they order the rows and say no more." : "This table holds predicted classes alone."
    ] }),
    /* @__PURE__ */ s("p", { children: e.has_score ? "Recalibration below turns ratings into probabilities; the other questions need a table with a probability column for each class." : "Open a table with a probability column for each class." })
  ] });
}
function df({ about: e }) {
  const t = k((a) => a.data), n = k((a) => a.calibration), l = De(), r = { data: t, calibration: n }, o = Zt(e, r), i = I(io(r, o), { delay: 120 });
  return !i.answer || i.error ? null : /* @__PURE__ */ s("section", { class: "block", "aria-label": "All chosen models", children: /* @__PURE__ */ s(
    H,
    {
      caption: "Calibration error of every chosen model, beside what true probabilities would score on the same rows",
      rows: i.answer.models,
      columns: [
        { title: "Model", value: (a) => /* @__PURE__ */ s("button", { class: "link", "aria-pressed": a.model === o, onClick: () => l({ model: a.model }), children: a.model }) },
        { title: "Rows", value: (a) => a.n },
        { title: "Error", value: (a) => a.value },
        { title: "If true", value: (a) => a.null_mean },
        { title: "95 % range", value: (a) => /* @__PURE__ */ s(Qn, { low: a.null_range[0], high: a.null_range[1] }) },
        { title: "Excess", value: (a) => a.excess },
        { title: "p", value: (a) => a.p_value }
      ]
    }
  ) });
}
function hf({ about: e }) {
  const t = k((u) => u.data), n = k((u) => u.calibration), l = De(), { statistic: r, view: o } = n, i = Zt(e, { data: t, calibration: n }), a = `Could the probabilities${i === null ? "" : ` of ${i}`} be true?`, c = r !== "ece" && !He(o);
  return /* @__PURE__ */ s(
    Te,
    {
      question: Vh({ data: t, calibration: n }, i),
      title: a,
      labels: e.n * e.k * n.resamples,
      controls: /* @__PURE__ */ s(_, { children: [
        /* @__PURE__ */ s(O, { label: "Test", value: r, choices: dr, onChange: (u) => l({ statistic: u }) }),
        c && /* @__PURE__ */ s(A, { children: "This test does not know the view above; it looks at its usual one." })
      ] })
    }
  );
}
const Rt = ({ answer: e, stale: t, error: n }) => t || n !== null ? null : e;
function ff(e, t) {
  const { answer: n } = e, l = k((d) => d.reading), r = Rt(I(tl(e, l))), o = Rt(I(Rr(e, l), { delay: 80 })), i = mf(e), a = Rt(t), c = N(null);
  return a !== null && a.lines.length === n.lines.length && c.current?.answer !== n && (c.current = { answer: n, ends: a.lines.map((d) => d.ends) }), {
    marks: [...l.optimum !== null && r ? gf(r, n) : [], ...l.iso_cost !== null && o ? o.lines.flatMap(yf) : []],
    ...i ? { between: i } : {},
    usual: a === null ? void 0 : we(a.threshold) ?? void 0,
    ends: c.current?.answer === n ? c.current.ends : null
  };
}
function mf(e) {
  const t = T(), n = k((u) => u.reading), l = Yt(e, n), [r, o] = w(null), i = N(0);
  L(() => o(null), [n.between]);
  const a = l && (r ?? l);
  if (a === null) return;
  const c = (u, d, f, h) => {
    o([u, d]), h || (i.current += 1), f && u < d && t.edit("reading", { between: [u, d], between_of: e.unit }, `between ${i.current}`);
  };
  return { low: a[0], high: a[1], onMove: c };
}
function pf({ settings: e }) {
  const t = String(e.x).trim();
  return t === "threshold" || t === String(e.sort_by ?? "probability").trim();
}
function gf({ y: e, results: t }, n) {
  const l = t.length > 1, r = e.trim() === String(n.settings.y).trim() ? "" : ` ${e.trim()}`, o = bt(n.lines);
  return t.flatMap((i) => {
    const a = l ? o[n.lines.findIndex((u) => u.model === i.model)] : void 0, c = l && i.model !== null ? `: ${i.model}` : "";
    return bf(i, n, { best: `best${r}${c}`, good: `as good${c}`, ...a === void 0 ? {} : { color: a } });
  });
}
function bf({ point: { x: e, y: t }, stretches: n }, l, { best: r, good: o, color: i }) {
  const a = e === null || t === null || !Number.isFinite(e) ? [] : [{ kind: "point", x: e, y: t, label: r }], [c, u] = ao(l), d = n.map((g) => [Math.max(c, we(g.low) ?? c), Math.min(u, we(g.high) ?? u)]), f = d.reduce((g, [b, y], v) => y - b > d[g][1] - d[g][0] ? v : g, 0), h = (g) => ({ ...g === f ? { label: o } : {}, ...i === void 0 ? {} : { color: i } }), m = pf(l) && i === void 0;
  return [...n.flatMap((g, b) => m ? [{ kind: "region", axis: "x", from: d[b][0], to: d[b][1], ...h(b) }] : vf(g, { ...h(b), ...l.shape === "step" ? { step: !0 } : {} })), ...a];
}
const vf = ({ x: e, y: t }, n) => e.length ? [{ kind: "stretch", x: e, y: t, ...n }] : [];
function yf({ x: e, y: t, ends: n }) {
  return e === void 0 || t === void 0 || !n ? [] : [
    { kind: "segment", x: [n.x[0], n.x[1]], y: [n.y[0], n.y[1]], label: "equal cost", dash: "dashed" },
    { kind: "point", x: e, y: t, label: "cheapest" }
  ];
}
function ao(e) {
  let [t, n] = [1 / 0, -1 / 0];
  for (const l of e.lines)
    for (const r of l.threshold)
      Number.isFinite(r) && (r < t && (t = r), r > n && (n = r));
  return t <= n ? [t, n] : [0, 1];
}
function rt({ title: e, open: t, onToggle: n, children: l }) {
  const r = K();
  return /* @__PURE__ */ s("section", { class: "panel reading-section", "aria-labelledby": `${r}-title`, children: [
    /* @__PURE__ */ s("h3", { children: /* @__PURE__ */ s("button", { id: `${r}-title`, class: "quiet disclose", "aria-expanded": t, ...t ? { "aria-controls": r } : {}, onClick: () => n(!t), children: [
      /* @__PURE__ */ s("span", { "aria-hidden": "true", class: "mark" }),
      e
    ] }) }),
    t && /* @__PURE__ */ s("div", { id: r, class: "stack", children: l })
  ] });
}
const wf = 0.1;
function _f({ shown: e, about: t }) {
  const n = T(), l = _e(), { answer: r, unit: o, models: i } = e, a = k((c) => c.reading);
  return /* @__PURE__ */ s("section", { class: "stack reading-below", "aria-label": "More readings", children: [
    /* @__PURE__ */ s(rt, { title: "Cases between two thresholds", open: Yt(e, a) !== null, onToggle: (c) => n.edit("reading", c ? { between: kf(r, l.at(o)), between_of: o } : { between: null, between_of: null }), children: /* @__PURE__ */ s(Fu, { shown: e }) }),
    /* @__PURE__ */ s(
      rt,
      {
        title: "Compare two models",
        open: a.difference !== null,
        onToggle: (c) => n.edit("reading", { difference: c ? [i[0] ?? "", i[1] ?? ""] : null }),
        children: t.models.length < 2 ? /* @__PURE__ */ s(A, { children: "This table has no second model to compare." }) : /* @__PURE__ */ s(Vu, { shown: e })
      }
    ),
    /* @__PURE__ */ s(rt, { title: "Subgroups", open: a.subgroups !== null, onToggle: (c) => n.edit("reading", { subgroups: c ? t.attributes[0]?.name ?? "" : null }), children: t.attributes.length === 0 ? /* @__PURE__ */ s(A, { children: "This table has no attributes to form groups by." }) : /* @__PURE__ */ s(vd, { shown: e, about: t }) })
  ] });
}
function kf(e, t) {
  const [n, l] = ao(e), r = (l - n) * wf / 2, o = n <= 0.5 && l >= 0.5 && l <= 1 ? 0.5 : (n + l) / 2, i = Math.min(l - r, Math.max(n + r, t ?? o)), a = (c) => Number(c.toPrecision(3));
  return [a(i - r), a(i + r)];
}
function xf({ shown: e, found: t }) {
  const { answer: n, unit: l } = e, r = we(t.answer?.threshold), o = Jt(l) ?? r, i = Z(() => n.lines.map((h) => Vn(h.threshold)), [n]), a = Z(() => bt(n.lines), [n]);
  if (o === null || i.every((h) => h.length === 0)) return null;
  const c = !t.stale && r === o && t.answer?.lines.length === n.lines.length ? t.answer.lines : null, u = n.lines.map((h, m) => {
    const p = c?.[m] ?? $f(h, Gn(h.threshold, i[m], o, Yn(h)));
    return { name: h.name || "all rows", color: a[m], spot: p };
  }), d = n.x_names, f = n.y_title === n.x_title;
  return /* @__PURE__ */ s(
    H,
    {
      caption: f ? `On the curve: ${n.x_title}` : `On the curve: x is ${n.x_title}, y is ${n.y_title}`,
      rows: u,
      columns: [
        { title: "Line", value: (h) => /* @__PURE__ */ s("span", { class: "named", children: [
          /* @__PURE__ */ s(nl, { color: h.color }),
          h.name
        ] }) },
        { title: "x", value: ({ spot: h }) => d.length && h.x !== null ? d[h.x] ?? null : h.x },
        ...f ? [] : [{ title: "y", value: ({ spot: h }) => h.y }]
      ]
    }
  );
}
const $f = ({ x: e, y: t }, n) => n < 0 ? { x: null, y: null } : { x: e[n], y: t[n] }, Sf = 1e3;
function Cf({ reading: e, unit: t }) {
  const n = _e(), r = Jt(t) ?? we(e.threshold), o = K(), [i, a] = w(null), c = N(!1), { low: u, high: d } = e;
  if (u === null || d === null) return null;
  const f = r === null ? d : Math.min(d, Math.max(u, r)), h = r === null || !Number.isFinite(r) ? "" : String(Number(r.toPrecision(6))), m = (p) => {
    a(null), p !== h && n.move(p === "" ? null : Number(p), !0, { unit: t });
  };
  return /* @__PURE__ */ s("div", { class: "threshold-control", children: [
    /* @__PURE__ */ s(oe, { label: e.probability ? "Threshold" : `Threshold on ${e.sort_by}`, children: (p) => /* @__PURE__ */ s("input", { id: p, type: "number", step: "any", value: i ?? h, placeholder: r === 1 / 0 ? "∞" : "", onInput: (g) => a(g.currentTarget.value), onBlur: () => a(null), onChange: (g) => m(g.currentTarget.value) }) }),
    /* @__PURE__ */ s("label", { class: "visually-hidden", for: o, children: "Move the threshold" }),
    /* @__PURE__ */ s(
      "input",
      {
        id: o,
        type: "range",
        min: u,
        max: d,
        step: d > u ? (d - u) / Sf : "any",
        value: f,
        onPointerDown: () => c.current = !1,
        onKeyDown: (p) => c.current = p.repeat,
        onInput: (p) => n.move(p.currentTarget.valueAsNumber, !1, { unit: t }),
        onChange: (p) => n.move(p.currentTarget.valueAsNumber, !0, { unit: t, again: c.current })
      }
    )
  ] });
}
const Tf = 80;
function Mf(e) {
  const t = Pu(e, Qr(Tf, e.unit));
  return { question: t, found: I(t) };
}
function Af({ shown: e, question: t, found: n }) {
  const { answer: l, unit: r } = e, o = n.answer;
  return /* @__PURE__ */ s("section", { class: "stack reading", "aria-label": "Reading", children: [
    /* @__PURE__ */ s("div", { class: "panel stack", children: [
      /* @__PURE__ */ s("header", { children: [
        /* @__PURE__ */ s("h2", { children: "Reading" }),
        /* @__PURE__ */ s("span", { class: "tools", children: [
          /* @__PURE__ */ s(Ef, { shown: e }),
          /* @__PURE__ */ s(ge, { question: t, title: `Reading of ${l.title}` })
        ] })
      ] }),
      o && /* @__PURE__ */ s(Cf, { reading: o, unit: r }),
      /* @__PURE__ */ s(Nf, { unit: r }),
      o && o.low !== null && /* @__PURE__ */ s(Of, { shown: e, reading: o }),
      /* @__PURE__ */ s(xf, { shown: e, found: n }),
      /* @__PURE__ */ s(B, { of: n, what: "Counting", children: (i) => /* @__PURE__ */ s(qr, { reading: i }) })
    ] }),
    /* @__PURE__ */ s(Pf, { shown: e }),
    o?.roc && /* @__PURE__ */ s(Rf, { shown: e })
  ] });
}
function Nf({ unit: e }) {
  const t = k((l) => l.threshold), n = k((l) => l.reading.threshold_of);
  return t === null || n === e ? null : /* @__PURE__ */ s(A, { children: [
    "The threshold ",
    R(t),
    " was chosen on ",
    n ?? "the model's own rating",
    " and means nothing on ",
    e ?? "the model's own rating",
    "; until one is chosen here, the usual one is read."
  ] });
}
function Of({ shown: e, reading: t }) {
  const n = _e(), l = T(), r = k((c) => c.reading), { unit: o } = e, i = Rt(I(tl(e, r))), a = we(i?.results.find((c) => c.point.threshold !== null)?.point.threshold);
  return /* @__PURE__ */ s("div", { class: "tools", children: [
    t.probability && /* @__PURE__ */ s("button", { onClick: () => n.move(0.5, !0, { unit: o }), children: "0.5" }),
    r.optimum === null ? /* @__PURE__ */ s("button", { onClick: () => l.edit("reading", { optimum: "max" }), children: "Find the best" }) : /* @__PURE__ */ s("button", { disabled: a === null, onClick: () => n.move(a, !0, { unit: o }), children: "Best" })
  ] });
}
function Ef({ shown: e }) {
  const t = T(), [n, l] = e.models;
  return n === void 0 || l === void 0 ? null : /* @__PURE__ */ s("button", { onClick: () => t.edit("reading", { difference: t.state.reading.difference ?? [n, l] }), children: "Compare" });
}
function Pf({ shown: e }) {
  const t = T(), n = k((l) => l.reading.optimum !== null);
  return /* @__PURE__ */ s(rt, { title: "Best threshold", open: n, onToggle: (l) => t.edit("reading", { optimum: l ? "max" : null }), children: /* @__PURE__ */ s(pd, { shown: e }) });
}
function Rf({ shown: e }) {
  const t = T(), n = k((l) => l.reading.iso_cost !== null);
  return /* @__PURE__ */ s(rt, { title: "Cost of errors", open: n, onToggle: (l) => t.edit("reading", { iso_cost: l ? { fp: 1, fn: 1 } : null }), children: [
    /* @__PURE__ */ s(A, { children: "Points on the dashed line cost the same; nothing on the curve lies above it." }),
    /* @__PURE__ */ s(Gu, { shown: e })
  ] });
}
function ot({ label: e, value: t, choices: n, refused: l, hint: r, onChange: o }) {
  const i = l[t], a = n.filter((u) => u.value in l && u.value !== t), c = [...new Set(a.map((u) => l[u.value]))];
  return /* @__PURE__ */ s(oe, { label: e, ...r ? { hint: r } : {}, children: (u) => /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("select", { id: u, value: t, "aria-invalid": i ? !0 : void 0, "aria-describedby": `${u}-why`, onChange: (d) => o(d.currentTarget.value), children: n.map((d) => /* @__PURE__ */ s("option", { value: d.value, disabled: d.value in l && d.value !== t, children: d.label }, d.value)) }),
    /* @__PURE__ */ s("div", { id: `${u}-why`, class: "choice-why", children: [
      i && /* @__PURE__ */ s("p", { class: "choice-wrong", children: [
        If(n, t),
        " cannot be had: ",
        i,
        "."
      ] }),
      !i && c.map((d) => /* @__PURE__ */ s("small", { children: [
        "Without ",
        Lf(a.filter((f) => l[f.value] === d)),
        ": ",
        d,
        "."
      ] }, d))
    ] })
  ] }) });
}
const If = (e, t) => e.find((n) => n.value === t)?.label ?? t, Lf = (e) => e.map((t) => t.label.toLowerCase()).join(", "), Df = [
  { value: "merge", label: "Merge data folds" },
  { value: "none", label: "None: a line a fold" },
  { value: "vertical", label: "Vertical averaging" },
  { value: "threshold", label: "Threshold averaging" },
  { value: "smooth", label: "Vertical smoothing (LOESS)" }
], Ff = [
  { value: "none", label: "None" },
  { value: "folds", label: "Spread over folds" },
  { value: "bootstrap", label: "Bootstrap" }
], jf = [
  { value: "", label: "One target class" },
  { value: "per-class", label: "Each class: a line a class" },
  { value: "micro", label: "Micro average: every row counts once a class" },
  { value: "macro", label: "Macro average: mean of the curves" }
];
function qf({ curve: e, set: t, about: n, drawn: l, hullReason: r }) {
  const o = T(), i = (c) => e[c] ?? l?.[c] ?? null, a = (c, u) => o.edit("curve", c, u ?? null);
  return /* @__PURE__ */ s("fieldset", { children: [
    /* @__PURE__ */ s("legend", { class: "visually-hidden", children: "Folds, classes and bands" }),
    /* @__PURE__ */ s(ot, { label: "Averaging", value: t.average, choices: Df, refused: lt("average", e, t, n), onChange: (c) => a({ average: c }) }),
    (t.average === "vertical" || t.average === "smooth") && /* @__PURE__ */ s(J, { label: "Points along x", value: i("points"), min: 2, max: 1e5, step: 1, onChange: (c) => a({ points: ms(c) }, "points") }),
    t.average === "threshold" && /* @__PURE__ */ s(J, { label: "Thresholds", value: i("thresholds"), min: 2, max: 1e5, step: 1, onChange: (c) => a({ thresholds: ms(c) }, "thresholds") }),
    t.average === "smooth" && /* @__PURE__ */ s(Wf, { value: i("span") ?? 0.5, onChange: (c) => a({ span: c }, "span") }),
    /* @__PURE__ */ s(ot, { label: "Band", value: e.band, choices: Ff, refused: lt("band", e, t, n), onChange: (c) => a({ band: c }) }),
    n.k > 2 && /* @__PURE__ */ s(ot, { label: "Several classes", value: e.multiclass ?? "", choices: jf, refused: lt("multiclass", e, t, n), onChange: (c) => a({ multiclass: c || null }) }),
    /* @__PURE__ */ s(Ae, { label: "Convex hull", checked: e.hull, onChange: (c) => a({ hull: c }) }),
    e.hull && r && /* @__PURE__ */ s("small", { class: "choice-wrong", children: r })
  ] });
}
function Wf({ value: e, onChange: t }) {
  return /* @__PURE__ */ s("label", { class: "field span", children: [
    /* @__PURE__ */ s("span", { class: "label", children: "Share of the rows in the window" }),
    /* @__PURE__ */ s("span", { class: "row", children: [
      /* @__PURE__ */ s("input", { type: "range", min: 0.05, max: 1, step: 0.05, value: e, onInput: (n) => t(n.currentTarget.valueAsNumber) }),
      /* @__PURE__ */ s("output", { children: [
        Math.round(100 * e),
        " %"
      ] })
    ] })
  ] });
}
const ms = (e) => e === null || Number.isNaN(e) ? null : Math.min(1e5, Math.max(2, Math.round(e)));
function Bf({ curve: e }) {
  const t = T();
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s(ze, { label: "x", part: "x", value: e.x ?? "", onChange: (n) => t.edit("curve", Jl("x", n), "x") }),
    /* @__PURE__ */ s(ze, { label: "y", part: "y", value: e.y ?? "", onChange: (n) => t.edit("curve", Jl("y", n), "y") })
  ] });
}
function Uf({ curve: e }) {
  const t = T(), n = e.y2 !== null;
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s(Ae, { label: "Second y, on the right axis", checked: n, onChange: (l) => t.edit("curve", { y2: l ? "" : null }) }),
    n && /* @__PURE__ */ s(ze, { label: "Second y", part: "y", value: e.y2 ?? "", placeholder: "a formula, such as precision", onChange: (l) => t.edit("curve", { y2: l }, "y2") })
  ] });
}
function Hf({ curve: e, x: t, y: n }) {
  const l = T();
  return /* @__PURE__ */ s("details", { class: "more", children: [
    /* @__PURE__ */ s("summary", { children: "Axis titles" }),
    /* @__PURE__ */ s(ps, { label: "Title of the x axis", value: e.x_title, otherwise: t, onChange: (r) => l.edit("curve", { x_title: r }, "x_title") }),
    /* @__PURE__ */ s(ps, { label: "Title of the y axis", value: e.y_title, otherwise: n, onChange: (r) => l.edit("curve", { y_title: r }, "y_title") })
  ] });
}
function ps({ label: e, value: t, otherwise: n, onChange: l }) {
  return /* @__PURE__ */ s(oe, { label: e, children: (r) => /* @__PURE__ */ s("input", { id: r, value: t ?? "", placeholder: n, maxLength: 200, onInput: (o) => l(o.currentTarget.value || null) }) });
}
const zf = [
  { value: "descending", label: "From high to low" },
  { value: "ascending", label: "From low to high" },
  { value: "unsorted", label: "No sorting" }
], Vf = [
  { value: "last", label: "Last value (ROC)" },
  { value: "average", label: "Average" },
  { value: "none", label: "No merge" }
], Gf = {
  last: "One point when the last of them is met: they share a threshold.",
  average: "One point, the mean of theirs.",
  none: "A point for every row, in an order that means nothing."
};
function Jf({ curve: e, set: t, about: n }) {
  const l = T(), r = n.has_prob ? "probability" : n.has_score ? "score" : "the classifier's answer", o = t.direction === "unsorted";
  return /* @__PURE__ */ s("fieldset", { children: [
    /* @__PURE__ */ s("legend", { class: "visually-hidden", children: "Order of the rows" }),
    /* @__PURE__ */ s(
      ze,
      {
        label: "Sort data by",
        part: "sort_by",
        value: e.sort_by ?? "",
        placeholder: o ? "the order of the table" : t.sort_by ?? r,
        onChange: (i) => l.edit("curve", { sort_by: i.trim() ? i : null }, "sort_by")
      }
    ),
    /* @__PURE__ */ s(ot, { label: "Direction", value: t.direction, choices: zf, refused: lt("direction", e, t, n), onChange: (i) => l.edit("curve", { direction: i }) }),
    /* @__PURE__ */ s(ot, { label: "Merge rows of equal value", value: t.merge, choices: Vf, refused: {}, hint: Gf[t.merge], onChange: (i) => l.edit("curve", { merge: i }) })
  ] });
}
function Kf({ params: e }) {
  const t = T();
  if (!e.length) return null;
  const n = (l, r) => {
    if (!Number.isFinite(r)) return;
    const o = { ...t.state.curve.params, [l]: r };
    t.edit("curve", { params: o }, `param ${l}`);
  };
  return /* @__PURE__ */ s("fieldset", { class: "params", children: [
    /* @__PURE__ */ s("legend", { children: "Parameters" }),
    e.map((l) => /* @__PURE__ */ s(Qf, { param: l, onChange: (r) => n(l.name, r) }, l.name))
  ] });
}
function Qf({ param: e, onChange: t }) {
  const n = K(), { low: l, high: r, step: o } = Oc(e.default, e.value);
  return /* @__PURE__ */ s("div", { class: "param", children: [
    /* @__PURE__ */ s("label", { for: n, children: e.name }),
    /* @__PURE__ */ s("input", { id: n, type: "range", min: l, max: r, step: o, value: e.value, onInput: (i) => t(i.currentTarget.valueAsNumber) }),
    /* @__PURE__ */ s("input", { type: "number", step: "any", "aria-label": `${e.name}, value`, value: e.value, onInput: (i) => t(i.currentTarget.valueAsNumber) })
  ] });
}
const $t = "";
function Xf({ curve: e, preset: t, vocabulary: n, about: l }) {
  const r = T(), o = (i) => {
    if (i === $t) {
      t && r.edit("curve", Nc(e, t, n));
      return;
    }
    const a = n.presets.find((c) => c.name === i)?.needs === "x";
    r.edit("curve", wr(e, i, a ? l.attributes[0]?.name ?? "probability" : null));
  };
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s(oe, { label: "Preset or user-defined formula", children: (i) => /* @__PURE__ */ s("select", { id: i, value: e.preset ?? $t, onChange: (a) => o(a.currentTarget.value), children: [
      /* @__PURE__ */ s("option", { value: $t, children: "User-defined formula" }),
      /* @__PURE__ */ s("optgroup", { label: "Presets", children: n.presets.map((a) => /* @__PURE__ */ s("option", { value: a.name, disabled: a.needs === "x" && !l.attributes.length, children: a.title }, a.name)) })
    ] }) }),
    t?.needs === "x" && /* @__PURE__ */ s(O, { label: "Column on the x axis", value: e.x ?? "", choices: l.attributes.map((i) => ({ value: i.name, label: i.name })), onChange: (i) => r.edit("curve", { x: i }) }),
    t && /* @__PURE__ */ s(Yf, { curve: e, preset: t, onEdit: () => o($t) })
  ] });
}
function Yf({ curve: e, preset: t, onEdit: n }) {
  return /* @__PURE__ */ s("div", { class: "preset-formulas", children: [
    /* @__PURE__ */ s("dl", { class: "facts", children: [
      /* @__PURE__ */ s("dt", { children: "x" }),
      /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s("code", { children: e.x ?? t.x }) }),
      /* @__PURE__ */ s("dt", { children: "y" }),
      /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s("code", { children: e.y ?? t.y }) })
    ] }),
    /* @__PURE__ */ s("button", { type: "button", onClick: n, children: "Edit the formulas" })
  ] });
}
function Zf({ about: e, answer: t, second: n, stale: l, waiting: r, compute: o }) {
  const i = T(), a = pt(), c = k((m) => m.curve), u = yr(a, c), d = t && !l ? t.settings : void 0, f = _r(c, u, d);
  return /* @__PURE__ */ s("aside", { class: "panel curve-panel", "aria-label": "Curve", children: [
    /* @__PURE__ */ s("header", { children: [
      /* @__PURE__ */ s("h2", { children: "Curve" }),
      /* @__PURE__ */ s("button", { type: "button", class: "quiet", onClick: () => i.edit("curve", Un), children: "Reset" })
    ] }),
    /* @__PURE__ */ s(Xf, { curve: c, preset: u, vocabulary: a, about: e }),
    c.preset === null && /* @__PURE__ */ s(Bf, { curve: c }),
    /* @__PURE__ */ s(Kf, { params: em(t, n, c.params) }),
    /* @__PURE__ */ s(Uf, { curve: c }),
    /* @__PURE__ */ s(Hf, { curve: c, x: t?.x_title ?? "", y: t?.y_title ?? "" }),
    /* @__PURE__ */ s("details", { class: "more", open: c.preset === null, children: [
      /* @__PURE__ */ s("summary", { children: "Order and merging" }),
      /* @__PURE__ */ s(Jf, { curve: c, set: f, about: e })
    ] }),
    /* @__PURE__ */ s("details", { class: "more", open: !0, children: [
      /* @__PURE__ */ s("summary", { children: "Averaging, bands and classes" }),
      /* @__PURE__ */ s(qf, { curve: c, set: f, about: e, drawn: t?.settings, hullReason: t && !l ? t.hull_reason : null })
    ] }),
    r && /* @__PURE__ */ s("div", { class: "pending", role: "status", children: [
      /* @__PURE__ */ s("p", { children: "This may take a while, so it waits for you." }),
      /* @__PURE__ */ s("button", { type: "button", class: "primary", onClick: o, children: "Compute" })
    ] })
  ] });
}
function em(e, t, n) {
  return [...new Map([...t?.params ?? [], ...e?.params ?? []].map((r) => [r.name, r])).values()].map((r) => ({ ...r, value: n[r.name] ?? r.default }));
}
const tm = /* @__PURE__ */ new Set(), St = 5;
function nm({ series: e, square: t, scale: n, width: l = 120, height: r = 80 }) {
  const o = N(null), i = or(o), a = t ? Math.min(l, r) : l, c = Z(() => {
    const u = e.map((d) => ({ ...d, thin: !0, dash: d.guide ? "dashed" : "solid" }));
    return rr(u, lm(u, { width: a, height: r, square: t, scale: n }));
  }, [e, a, r, t, n]);
  return ye(() => {
    const u = nr(o.current, a, r);
    u && lr(c, { ctx: u, ink: tr(o.current), lit: null }, tm);
  }, [c, i]), /* @__PURE__ */ s("canvas", { ref: o, class: "chart-thumb", "aria-hidden": "true", style: { width: `${a}px`, height: `${r}px` } });
}
function lm(e, { width: t, height: n, square: l, scale: r }) {
  const o = e.some((u) => !u.guide && u.x.length) ? e.filter((u) => !u.guide) : e, i = { kind: r, square: l }, a = Be(tt(o.map((u) => u.x), i), St, t - St), c = Be(tt(o.map((u) => u.y), i), n - St, St);
  return { width: t, height: n, left: 0, right: t, top: 0, bottom: n, x: a, y: c, right2: null, xTicks: [], yTicks: [], rightTicks: [], turned: !1 };
}
function sm({ about: e, ready: t }) {
  const [n, l] = w(!1), [r, o] = w(!1);
  return /* @__PURE__ */ s(
    "details",
    {
      class: "panel gallery",
      open: n,
      onToggle: (i) => {
        l(i.currentTarget.open), i.currentTarget.open && o(!0);
      },
      children: [
        /* @__PURE__ */ s("summary", { children: "Gallery: every preset on your data" }),
        r && /* @__PURE__ */ s(rm, { about: e, ready: t && n, onChoose: () => l(!1) })
      ]
    }
  );
}
function rm({ about: e, ready: t, onChoose: n }) {
  const l = T(), { presets: r } = pt(), o = k((h) => h.data), i = k((h) => h.curve.preset), [a, c] = w(e.attributes[0]?.name ?? null), u = JSON.stringify(de(o)), d = im(r, a, u, t), f = (h) => {
    const m = wr(l.state.curve, h.name, h.needs === "x" ? a : null);
    l.edit("curve", m), n();
  };
  return /* @__PURE__ */ s(_, { children: [
    e.attributes.length > 0 && /* @__PURE__ */ s("div", { class: "gallery-column", children: /* @__PURE__ */ s(O, { label: "Column for the curves that are drawn against one", value: a ?? "", choices: e.attributes.map(({ name: h }) => ({ value: h, label: h })), onChange: c }) }),
    /* @__PURE__ */ s("ul", { class: "gallery-grid", "aria-label": "Presets", children: r.map((h) => /* @__PURE__ */ s("li", { children: /* @__PURE__ */ s("button", { type: "button", class: "gallery-card", "aria-current": i === h.name ? "true" : void 0, disabled: h.needs === "x" && a === null, onClick: () => f(h), children: [
      /* @__PURE__ */ s("span", { class: "gallery-picture", children: /* @__PURE__ */ s(om, { picture: d[h.name], missing: h.needs === "x" && a === null }) }),
      /* @__PURE__ */ s("strong", { children: h.title }),
      /* @__PURE__ */ s("span", { class: "gallery-words", children: dm(h.explanation) })
    ] }) }, h.name)) })
  ] });
}
function om({ picture: e, missing: t }) {
  return t ? /* @__PURE__ */ s("small", { children: "The table has no column to draw it against." }) : e === void 0 ? /* @__PURE__ */ s("small", { "aria-hidden": "true", children: "…" }) : "why" in e ? /* @__PURE__ */ s("small", { class: "gallery-why", children: [
    "Undefined here: ",
    e.why
  ] }) : /* @__PURE__ */ s(nm, { series: e.series, square: e.square, ...e.scale ? { scale: e.scale } : {} });
}
function im(e, t, n, l) {
  const r = le(), [o, i] = w({});
  return L(() => {
    if (!l) return;
    const a = new AbortController();
    return (async () => {
      for (const u of e) {
        if (u.needs === "x" && t === null) continue;
        const d = await cm(r, am(u, t, n), a.signal);
        if (a.signal.aborted) return;
        i((f) => ({ ...f, [u.name]: d }));
      }
    })(), () => a.abort();
  }, [r, e, t, n, l]), o;
}
const am = (e, t, n) => ({
  kind: "curve",
  data: JSON.parse(n),
  curve: { preset: e.name, ...e.needs === "x" ? { x: t } : {} },
  width: 120,
  thumb: !0
});
async function cm(e, t, n) {
  try {
    const l = await e.ask(t, { signal: n }), r = Cn(l);
    return r.length ? { series: [...r.map((o) => um(o, l)), ...br(l.guides)], square: l.square, scale: l.scale } : { why: l.lines.find((o) => o.reason)?.reason ?? "no point is defined" };
  } catch (l) {
    return { why: ce(l).message };
  }
}
function um(e, t) {
  if (!t.square && t.floor === null) return e;
  const n = (c) => !t.square || c >= -0.01 && c <= 1.01, l = t.floor ?? -1 / 0, r = (c) => c.filter((u, d) => n(e.x[d]) && n(e.y[d]) && e.y[d] >= l), { path: o, threshold: i, ...a } = e;
  return { ...a, x: r(e.x), y: r(e.y) };
}
const dm = (e) => /^.*?[.](?= |$)/.exec(e)?.[0] ?? e, hm = /depends on the threshold, and the rows are/;
function fm({ about: e }) {
  const { found: t, question: n, drawn: l, waiting: r, compute: o, problem: i } = jc(e);
  Mn(n);
  const { second: a, right: c, last: u } = Mn(l), d = Object.values(i);
  return /* @__PURE__ */ s("div", { class: "curves-room", children: [
    /* @__PURE__ */ s(Zf, { about: e, answer: t.answer, second: u, stale: t.stale, waiting: r, compute: o }),
    /* @__PURE__ */ s("div", { class: "stack curves-main", children: [
      /* @__PURE__ */ s(sm, { about: e, ready: t.answer !== null && !t.busy }),
      d.length > 0 && /* @__PURE__ */ s("p", { class: "notice", children: [
        "Not drawn yet: ",
        d.join("; "),
        "."
      ] }),
      /* @__PURE__ */ s(pm, { found: t }),
      /* @__PURE__ */ s("div", { class: r ? "curve-pending" : void 0, children: /* @__PURE__ */ s(B, { of: gm(t), what: "Drawing the curve", children: ({ curve: f }) => /* @__PURE__ */ s(mm, { answer: f, second: c, question: l, about: e }) }) }),
      a.error && /* @__PURE__ */ s("p", { class: "notice", children: [
        "Second y: ",
        a.error.message
      ] })
    ] })
  ] });
}
function mm({ answer: e, second: t, question: n, about: l }) {
  const r = Z(() => Eu(e, n, l), [e, n, l]), o = Mf(r), { marks: i, between: a, usual: c, ends: u } = ff(r, o.found);
  return /* @__PURE__ */ s("div", { class: "curve-and-reading", children: [
    /* @__PURE__ */ s(vr, { answer: e, second: t, question: n, marks: i, usual: c, ends: u, ...a ? { between: a } : {} }),
    /* @__PURE__ */ s("div", { class: "curve-beside", children: /* @__PURE__ */ s(Af, { shown: r, ...o }) }),
    /* @__PURE__ */ s("div", { class: "curve-below", children: /* @__PURE__ */ s(_f, { shown: r, about: l }) })
  ] });
}
function pm({ found: e }) {
  const t = T();
  return e.error?.kind !== "formula" || !hm.test(e.error.message) ? null : /* @__PURE__ */ s("p", { children: /* @__PURE__ */ s("button", { type: "button", onClick: () => t.edit("curve", { sort_by: null, direction: null }), children: "Sort by probability" }) });
}
const gm = (e) => ({ ...e, answer: e.answer && { curve: e.answer } }), co = (e, t) => t.k > 2 && e.matrix.against ? e.data.target ?? t.positive : null;
function uo(e, t, n) {
  const l = co(e, t), r = t.k === 2 || l !== null, o = n === null || Number.isFinite(n) ? n : n > 0 ? "inf" : "-inf";
  return { threshold: r ? o : null, target: l };
}
function ho(e, t, n) {
  const { shares: l, interval: r, level: o } = e.matrix;
  return { kind: "confusion", data: de(e.data), ...uo(e, t, n), normalize: l, interval: r, level: o };
}
function bm(e, t, n, l) {
  return { kind: "cell", data: de(e.data), ...uo(e, t, n), ...l };
}
const vm = 200;
function ym({ about: e, cell: t, threshold: n, close: l }) {
  const r = k((u) => u.data), o = k((u) => u.matrix), i = bm({ data: r, matrix: o }, e, n, t), a = I({ ...i, most: vm }, { delay: 50 }), c = N(null);
  return L(() => c.current?.scrollIntoView({ block: "nearest" }), [t]), /* @__PURE__ */ s("section", { class: "block cell-rows", "aria-label": "Rows of a cell", children: [
    /* @__PURE__ */ s("header", { children: [
      /* @__PURE__ */ s("h2", { ref: c, children: `Actual ${t.actual}, predicted ${t.predicted}${t.model === null ? "" : `, by ${t.model}`}` }),
      /* @__PURE__ */ s("div", { class: "tools", children: [
        a.answer && !a.stale && /* @__PURE__ */ s(_m, { answer: a.answer }),
        /* @__PURE__ */ s(pe, { question: i, name: "rows of this cell" }),
        /* @__PURE__ */ s("button", { onClick: l, children: "Close" })
      ] })
    ] }),
    /* @__PURE__ */ s(B, { of: a, what: "Looking up the rows", children: (u) => /* @__PURE__ */ s(wm, { answer: u }) })
  ] });
}
function wm({ answer: e }) {
  if (e.count === 0) return /* @__PURE__ */ s(A, { children: "No row is in this cell." });
  const t = Array.from({ length: e.shown }, (n, l) => l);
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("p", { role: "status", children: `${D(e.count, "row")}${e.weight === e.count ? "" : ` of weight ${R(e.weight)}`}${e.shown < e.count ? `, the first ${e.shown} shown` : ""}; ${e.order}.` }),
    /* @__PURE__ */ s(
      H,
      {
        caption: `Rows answered by ${e.decision}`,
        columns: e.columns.map((n) => ({
          title: n.name,
          value: (l) => /* @__PURE__ */ s(Fr, { cell: n.values[l] ?? null })
        })),
        rows: t
      }
    )
  ] });
}
function _m({ answer: e }) {
  const [t, n] = w("Copy rows");
  L(() => n("Copy rows"), [e]);
  const l = async () => {
    try {
      await navigator.clipboard.writeText(km(e)), n("Copied");
    } catch {
      n("The browser does not allow it");
    }
  };
  return /* @__PURE__ */ s("button", { disabled: e.shown === 0, onClick: () => void l(), children: t });
}
const gs = (e) => {
  if (typeof e == "number") return String(e);
  const t = (e ?? "").replace(/[\t\r\n]+/g, " ");
  return /^[=+\-@]/.test(t) ? `'${t}` : t;
};
function km(e) {
  const t = [e.columns.map((n) => gs(n.name)).join("	")];
  for (let n = 0; n < e.shown; n++) t.push(e.columns.map((l) => gs(l.values[n])).join("	"));
  return t.join(`
`);
}
const xm = (e) => [
  { value: "none", label: e ? "Weights" : "Counts" },
  { value: "actual", label: "Shares of the actual class" },
  { value: "predicted", label: "Shares of the predicted class" },
  { value: "all", label: e ? "Shares of all weight" : "Shares of all rows" }
], $m = [
  { value: "auto", label: "What fits the rows" },
  { value: "wilson", label: "Wilson's, of shares of rows" },
  { value: "bootstrap", label: "Bootstrap, of every rate" },
  { value: "none", label: "None" }
], Sm = [0.8, 0.9, 0.95, 0.99];
function Cm({ about: e }) {
  const { shares: t, interval: n, level: l, against: r } = k((d) => d.matrix), { target: o, weighted: i } = k((d) => d.data), a = T(), c = (d) => a.edit("matrix", d), u = (d) => {
    const f = e.classes.findIndex((h) => `class ${h.name}` === d);
    a.change({
      matrix: { ...a.state.matrix, against: f >= 0, cell: null },
      ...f >= 0 ? { data: { ...a.state.data, target: e.classes[f].name } } : {}
    });
  };
  return /* @__PURE__ */ s("div", { class: "controls", children: [
    e.k > 2 && /* @__PURE__ */ s(
      O,
      {
        label: "Classes",
        value: r ? `class ${o ?? e.positive}` : "all",
        choices: [{ value: "all", label: `All ${e.k}` }, ...e.classes.map((d) => ({ value: `class ${d.name}`, label: `${d.name} against the rest` }))],
        onChange: u
      }
    ),
    /* @__PURE__ */ s(O, { label: "Cells show", value: t, choices: xm(e.has_weight && i), onChange: (d) => c({ shares: d }) }),
    /* @__PURE__ */ s(O, { label: "Interval of the rates", value: n, choices: $m, onChange: (d) => c({ interval: d }) }),
    /* @__PURE__ */ s(
      O,
      {
        label: "Level of the intervals",
        value: String(l),
        choices: [.../* @__PURE__ */ new Set([...Sm, l])].sort().map((d) => ({ value: String(d), label: `${100 * d} %` })),
        onChange: (d) => c({ level: Number(d) })
      }
    )
  ] });
}
const Tm = 1e3;
function Mm({ about: e, range: t, usual: n }) {
  const l = k((b) => b.data), r = k((b) => b.matrix), o = Jt(), i = o ?? n, a = _e(), c = co({ data: l, matrix: r }, e);
  if (e.k > 2 && c === null)
    return /* @__PURE__ */ s(A, { children: "Every row is answered with its most probable class, or as its column “predicted” says. A threshold parts one class from the rest: choose it under Classes." });
  if (!e.has_prob && !e.has_score) return /* @__PURE__ */ s(A, { children: "The table holds answers without ratings, so no threshold decides." });
  const u = c ?? l.target ?? e.positive, d = e.has_prob ? `probability of ${u}` : `rating of ${u}`, [f, h] = t ? [t.low, t.high] : [0, 1], m = i === null ? (f + h) / 2 : Math.min(h, Math.max(f, i)), p = (b) => b === "" ? a.move(null, !0) : g(b, !0), g = (b, y) => {
    const v = Number(b);
    b !== "" && !Number.isNaN(v) && a.move(v, y);
  };
  return /* @__PURE__ */ s("div", { class: "threshold-bar", children: [
    /* @__PURE__ */ s(oe, { label: "Threshold", hint: `Answered ${u} where the ${d} is at least this.`, children: (b) => /* @__PURE__ */ s(
      "input",
      {
        id: b,
        type: "range",
        min: f,
        max: h,
        step: (h - f) / Tm || "any",
        value: m,
        "aria-valuetext": i === null ? "none: the answers as given" : String(i),
        onInput: (y) => g(y.currentTarget.value, !1),
        onChange: (y) => g(y.currentTarget.value, !0)
      }
    ) }),
    /* @__PURE__ */ s(oe, { label: "Threshold as a number", children: (b) => /* @__PURE__ */ s("input", { id: b, type: "number", step: "any", value: i === null || !Number.isFinite(i) ? "" : i, placeholder: "as answered", onChange: (y) => p(y.currentTarget.value), onKeyDown: (y) => y.key === "Enter" && p(y.currentTarget.value) }) }),
    /* @__PURE__ */ s("button", { disabled: o === null, onClick: () => a.move(null, !0), children: n === null ? "Use the answers given" : "Use the middle rating" })
  ] });
}
function Am(e, t) {
  const [n, l] = w(e), r = N(0);
  return L(() => {
    const o = r.current + t - performance.now(), i = () => {
      r.current = performance.now(), l(() => e);
    };
    if (o <= 0) {
      i();
      return;
    }
    const a = setTimeout(i, o);
    return () => clearTimeout(a);
  }, [e, t]), n;
}
const Nm = 100;
function Om({ about: e }) {
  const t = k((f) => f.data), n = k((f) => f.matrix), l = T(), r = Am(Jt(), Nm), o = { data: t, matrix: n }, i = Em(o, e), a = r ?? i, c = ho(o, e, a), u = I(c), d = (f) => l.edit("matrix", { cell: f });
  return /* @__PURE__ */ s("div", { class: "matrix-room", children: [
    /* @__PURE__ */ s("section", { class: "block", "aria-label": "Confusion matrix", children: [
      /* @__PURE__ */ s("header", { children: [
        /* @__PURE__ */ s("h2", { children: "Confusion matrix" }),
        /* @__PURE__ */ s("div", { class: "tools", children: [
          /* @__PURE__ */ s(ge, { question: c, title: "Confusion matrix" }),
          /* @__PURE__ */ s(pe, { question: c, name: "confusion matrix" })
        ] })
      ] }),
      /* @__PURE__ */ s(Cm, { about: e }),
      /* @__PURE__ */ s(Mm, { about: e, range: u.answer?.range ?? null, usual: i }),
      /* @__PURE__ */ s(B, { of: u, what: "Counting", children: (f) => /* @__PURE__ */ s(Tr, { answer: f, shares: n.shares, picked: n.cell, onPick: d }) })
    ] }),
    n.cell && /* @__PURE__ */ s(ym, { about: e, cell: n.cell, threshold: a, close: () => l.edit("matrix", { cell: null }) })
  ] });
}
function Em(e, t) {
  const n = !t.has_prob && t.has_score, l = I(n ? ho(e, t, null) : null);
  return n ? l.answer?.usual ?? null : null;
}
const Pe = "", Pm = [0.8, 0.9, 0.95, 0.99], Rm = { holm: "Holm", "benjamini-hochberg": "Benjamini and Hochberg", none: "not adjusted" };
function Im({ choices: e, names: t }) {
  const n = k((a) => a.models), l = T(), r = (a) => l.edit("models", a), [o] = w(() => n.groups !== "" || n.after !== "" || n.rope !== null || n.test_share !== null), i = [.../* @__PURE__ */ new Set([...Pm, n.level])].sort();
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("div", { class: "controls", children: [
      /* @__PURE__ */ s(O, { label: "Metric", value: n.metric ?? e.usual, choices: e.metrics.map((a) => ({ value: a.name, label: `${gt(a.title)} – ${a.best}` })), onChange: (a) => r({ metric: a === e.usual ? null : a }) }),
      /* @__PURE__ */ s(Dm, { names: t, pair: n.pair, onChange: (a) => r({ pair: a }) }),
      /* @__PURE__ */ s(O, { label: "Test", value: n.test ?? Pe, choices: Lm(e, t.length), onChange: (a) => r({ test: a || null }) }),
      /* @__PURE__ */ s(O, { label: "Data sets are told apart by", value: n.over, choices: [{ value: Pe, label: "nothing: one data set" }, ...it(e.attributes)], onChange: (a) => r({ over: a, test: null }) })
    ] }),
    /* @__PURE__ */ s("details", { class: "more", open: o, children: [
      /* @__PURE__ */ s("summary", { children: "More settings" }),
      /* @__PURE__ */ s("div", { class: "controls", children: [
        /* @__PURE__ */ s(O, { label: "Level of the intervals", value: String(n.level), choices: i.map((a) => ({ value: String(a), label: `${100 * a} %` })), onChange: (a) => r({ level: Number(a) }) }),
        /* @__PURE__ */ s(O, { label: "Adjust p-values", value: n.adjust, choices: e.adjustments.map((a) => ({ value: a, label: Rm[a] ?? a })), onChange: (a) => r({ adjust: a }) }),
        /* @__PURE__ */ s(O, { label: "Rows belong together by", value: n.groups, choices: [{ value: Pe, label: "nothing: each for itself" }, ...it(e.attributes)], onChange: (a) => r({ groups: a }) }),
        /* @__PURE__ */ s(O, { label: "Also after recalibration by", value: n.after, choices: [{ value: Pe, label: "no method" }, ...it(e.recalibrations)], onChange: (a) => r({ after: a }) }),
        /* @__PURE__ */ s(J, { label: "Share of the rows in each test part", hint: "Empty: as the folds tell.", value: n.test_share, min: 0, max: 1, onChange: (a) => r({ test_share: a }) }),
        /* @__PURE__ */ s(J, { label: "Differences that make none in practice", hint: "In the metric's unit; empty: none is named.", value: n.rope, min: 0, onChange: (a) => r({ rope: a }) })
      ] })
    ] })
  ] });
}
const it = (e) => e.map((t) => ({ value: t, label: t }));
function Lm(e, t) {
  const n = e.tests.filter((r) => r.answer !== "refused" && (r.name !== "friedman" || t > 2)), l = (r, o) => o === "fits" ? r : `${r} – too optimistic here`;
  return [{ value: Pe, label: "The one that fits best" }, ...n.map((r) => ({ value: r.name, label: gt(l(r.title, r.answer)) }))];
}
function Dm({ names: e, pair: t, onChange: n }) {
  if (e.length < 3) return null;
  const l = (r) => e.filter((o) => o !== r);
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s(
      O,
      {
        label: "Models",
        value: t?.[0] ?? Pe,
        choices: [{ value: Pe, label: `all ${e.length}, every pair` }, ...it(e)],
        onChange: (r) => n(r ? [r, t && t[1] !== r ? t[1] : l(r)[0]] : null)
      }
    ),
    t && /* @__PURE__ */ s(O, { label: "Against", value: t[1], choices: it(l(t[0])), onChange: (r) => n([t[0], r]) })
  ] });
}
const Fm = [
  ["", "15 of equal width (usual)"],
  ["equal-width:5", "5 of equal width"],
  ["equal-width:10", "10 of equal width"],
  ["equal-width:20", "20 of equal width"],
  ["equal-size:5", "5 of equal size"],
  ["equal-size:10", "10 of equal size"],
  ["equal-size:15", "15 of equal size"],
  ["equal-size:20", "20 of equal size"]
];
function jm({ about: e, ranges: t }) {
  const { bins: n, view: l } = k((i) => i.models), r = T();
  if (!e.has_prob) return null;
  const o = [
    { value: "", label: e.k === 2 ? "The positive class (usual)" : "The top label (usual)" },
    { value: e.k === 2 ? "top-label" : "classwise", label: e.k === 2 ? "The top label" : "Class by class" }
  ];
  return /* @__PURE__ */ s("div", { class: "controls", children: [
    /* @__PURE__ */ s(O, { label: "Bins of the calibration error", value: n, choices: Fm.map(([i, a]) => ({ value: i, label: a })), onChange: (i) => r.edit("models", { bins: i }) }),
    /* @__PURE__ */ s(O, { label: "View of the calibration error", value: l, choices: o, onChange: (i) => r.edit("models", { view: i }) }),
    /* @__PURE__ */ s(Ae, { label: "Show what true probabilities would score", checked: t, onChange: (i) => r.edit("models", { ranges: i }) })
  ] });
}
function qm({ about: e }) {
  const t = k((m) => m.data), n = k((m) => m.models), l = T(), r = (t.models ?? e.models).length > 1, o = I(r ? Mu({ data: t, models: n }) : null), i = o.answer?.metrics.find((m) => m.name === (n.metric ?? o.answer?.usual)), a = Tu({ data: t, models: n }, i?.of_one_class ?? !1, e.k), c = Wm(a, e.n > Or), u = I(r && o.answer && !c.waits ? a : null, { delay: 150 }), d = u.answer && !u.stale ? Au(u.answer) : {}, f = Su({ data: t, models: n }, e), h = i?.title ?? "values";
  return L(() => {
    const m = t.models ?? e.models;
    n.pair && !n.pair.every((p) => m.includes(p)) && l.edit("models", { pair: null });
  }, [t.models, n.pair]), /* @__PURE__ */ s("div", { class: "models-room", children: [
    /* @__PURE__ */ s("section", { class: "block", "aria-label": "Scores", children: [
      /* @__PURE__ */ s("header", { children: [
        /* @__PURE__ */ s("h2", { children: "Scores" }),
        /* @__PURE__ */ s("div", { class: "tools", children: [
          /* @__PURE__ */ s(ge, { question: f, title: "Scores" }),
          /* @__PURE__ */ s(pe, { question: f, name: "scores" })
        ] })
      ] }),
      /* @__PURE__ */ s(jm, { about: e, ranges: Er({ models: n }, e) }),
      /* @__PURE__ */ s(Pr, { question: f, best: d })
    ] }),
    /* @__PURE__ */ s("section", { class: "block", "aria-label": "Comparison", children: [
      /* @__PURE__ */ s("header", { children: [
        /* @__PURE__ */ s("h2", { children: "Comparison" }),
        r && /* @__PURE__ */ s("div", { class: "tools", children: [
          /* @__PURE__ */ s(ge, { question: a, title: `Comparison by ${h}` }),
          /* @__PURE__ */ s(pe, { question: a, name: "comparison" })
        ] })
      ] }),
      r ? /* @__PURE__ */ s(B, { of: o, what: "Looking at the design", children: (m) => /* @__PURE__ */ s(_, { children: [
        /* @__PURE__ */ s(Im, { choices: m, names: t.models ?? e.models }),
        c.waits ? /* @__PURE__ */ s("div", { class: "row", children: [
          /* @__PURE__ */ s("button", { class: "primary", onClick: c.go, children: "Compare" }),
          /* @__PURE__ */ s(A, { children: "On so many rows this may take a minute." })
        ] }) : /* @__PURE__ */ s(B, { of: u, what: "Comparing the models", children: (p) => /* @__PURE__ */ s(Nr, { answer: p, title: h }) })
      ] }) }) : /* @__PURE__ */ s(A, { children: "A comparison needs two models of the same rows: a table with a column “model”, of which at least two are chosen in the data panel." })
    ] })
  ] });
}
function Wm(e, t) {
  const n = le(), [l, r] = w(null), o = JSON.stringify(e);
  return { waits: t && l !== o && n.known(e) === void 0, go: () => r(o) };
}
const It = {
  curves: "Curves",
  calibration: "Calibration",
  models: "Models",
  matrix: "Confusion matrix",
  board: "Board"
}, Bm = {
  curves: fm,
  calibration: cf,
  models: qm,
  matrix: Om,
  board: jh
}, fo = ["system", "light", "dark"], mo = "plumbline-theme", Um = "(prefers-color-scheme: dark)";
class Hm {
  constructor(t) {
    this.root = t, this.chosen = zm(), this.system.addEventListener("change", this.show), this.show();
  }
  chosen;
  listeners = /* @__PURE__ */ new Set();
  system = matchMedia(Um);
  choose(t) {
    this.chosen = t;
    try {
      localStorage.setItem(mo, t);
    } catch {
    }
    this.show();
  }
  subscribe(t) {
    return this.listeners.add(t), () => this.listeners.delete(t);
  }
  stop() {
    this.system.removeEventListener("change", this.show);
  }
  show = () => {
    const t = this.chosen === "dark" || this.chosen === "system" && this.system.matches;
    this.root.dataset.theme = t ? "dark" : "light";
    for (const n of [...this.listeners]) n();
  };
}
function zm() {
  try {
    const e = localStorage.getItem(mo);
    return e !== null && fo.includes(e) ? e : "system";
  } catch {
    return "system";
  }
}
const Vm = { system: "System", light: "Light", dark: "Dark" };
function po() {
  const { theme: e } = ie(), t = K(), n = ut(e, () => e.chosen);
  return /* @__PURE__ */ s("span", { class: "theme", children: [
    /* @__PURE__ */ s("label", { for: t, children: "Theme" }),
    /* @__PURE__ */ s("select", { id: t, value: n, onChange: (l) => e.choose(l.currentTarget.value), children: fo.map((l) => /* @__PURE__ */ s("option", { value: l, children: Vm[l] }, l)) })
  ] });
}
function Gm({ about: e }) {
  return /* @__PURE__ */ s("header", { class: "top", children: [
    /* @__PURE__ */ s("div", { class: "title", children: [
      /* @__PURE__ */ s(to, {}),
      /* @__PURE__ */ s("span", { class: "file", title: e.name, children: e.name }),
      /* @__PURE__ */ s("span", { class: "rows", children: [
        D(e.n, "row"),
        ", ",
        D(e.k, "class", "classes")
      ] })
    ] }),
    /* @__PURE__ */ s(Km, {}),
    /* @__PURE__ */ s(Jm, {})
  ] });
}
function Jm() {
  const e = T(), t = k((l) => l.room), n = N(null);
  return ye(() => {
    const l = n.current?.querySelector("[aria-current]");
    l && (n.current.scrollLeft = l.offsetLeft - (n.current.clientWidth - l.offsetWidth) / 2);
  }, [t]), /* @__PURE__ */ s("nav", { "aria-label": "Rooms", ref: n, children: qs.map((l) => /* @__PURE__ */ s("button", { type: "button", "aria-current": t === l ? "page" : void 0, onClick: () => e.go(l), children: It[l] }, l)) });
}
function Km() {
  const { host: e, start: t } = ie(), { table: n } = le(), [l, r] = w(null), o = () => r(null);
  return /* @__PURE__ */ s("div", { class: "tools", children: [
    /* @__PURE__ */ s(Xm, {}),
    !e.notebook && /* @__PURE__ */ s(xh, {}),
    !e.notebook && n !== t?.served && /* @__PURE__ */ s("button", { type: "button", class: "quiet", onClick: () => r("columns"), children: "Columns …" }),
    !e.notebook && /* @__PURE__ */ s(Qm, {}),
    /* @__PURE__ */ s("button", { type: "button", class: "quiet", onClick: () => r("help"), title: "Keyboard help (?)", children: "Keyboard" }),
    /* @__PURE__ */ s(po, {}),
    l === "columns" && /* @__PURE__ */ s(wh, { onClose: o }),
    /* @__PURE__ */ s(Mh, { open: l === "help", onOpen: () => r("help"), onClose: o })
  ] });
}
function Qm() {
  const e = ie();
  return /* @__PURE__ */ s("button", { type: "button", class: "quiet", onClick: e.close, children: "Close table" });
}
function Xm() {
  const e = T(), t = ut(e, () => e.canUndo), n = ut(e, () => e.canRedo);
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("button", { type: "button", class: "quiet icon", "aria-label": "Undo", title: "Undo (Ctrl+Z)", disabled: !t, onClick: () => e.undo(), children: /* @__PURE__ */ s(In, { name: "undo" }) }),
    /* @__PURE__ */ s("button", { type: "button", class: "quiet icon", "aria-label": "Redo", title: "Redo (Ctrl+Shift+Z)", disabled: !n, onClick: () => e.redo(), children: /* @__PURE__ */ s(In, { name: "redo" }) })
  ] });
}
const Ym = 3e4;
function Zm({ children: e }) {
  const t = le(), n = ie(), l = ut(t, () => t.trouble?.kind ?? null);
  return L(() => {
    const r = setInterval(() => void t.alive(), Ym), o = () => document.visibilityState === "visible" && void t.alive();
    return document.addEventListener("visibilitychange", o), () => {
      clearInterval(r), document.removeEventListener("visibilitychange", o);
    };
  }, [t]), l === "gone" ? /* @__PURE__ */ s("main", { class: "lonely", children: [
    /* @__PURE__ */ s("h1", { children: "This table is closed" }),
    /* @__PURE__ */ s("p", { children: "The server no longer has it: it was closed, nobody asked for it for a while, or the server was started anew. Open the file again to go on." }),
    /* @__PURE__ */ s("button", { type: "button", class: "primary", onClick: n.close, children: "Back to the start" })
  ] }) : /* @__PURE__ */ s(_, { children: [
    l === "offline" && /* @__PURE__ */ s("div", { class: "offline", role: "alert", children: [
      /* @__PURE__ */ s("span", { children: "The server does not answer. Is plumbline serve still running?" }),
      /* @__PURE__ */ s("button", { type: "button", onClick: () => void t.alive(), children: "Try again" })
    ] }),
    e
  ] });
}
const go = [".csv", ".tsv", ".parquet", ".arrow", ".feather"], ep = "CSV, TSV, Parquet and Arrow (Feather) files";
function tp(e, t) {
  const n = e.name.toLowerCase();
  if (!go.some((l) => n.endsWith(l))) {
    const l = /\.(pkl|pickle|joblib)$/.test(n) ? " Reading a pickle would run what is inside it; save the table as Parquet." : "";
    return { kind: "input", message: `${e.name} is not a file that can be opened here: ${ep} can.${l}` };
  }
  return e.size === 0 ? { kind: "input", message: `${e.name} is empty.` } : t !== void 0 && e.size > t ? { kind: "limit", message: `${e.name} has ${Ln(e.size)}; this server takes files of at most ${Ln(t)}. Start it on this machine with the file: plumbline serve FILE.` } : null;
}
function Ln(e) {
  const t = ["bytes", "KB", "MB", "GB"], n = e < 1 ? 0 : Math.min(Math.floor(Math.log2(e) / 10), t.length - 1), l = e / 1024 ** n;
  return `${l >= 100 || n === 0 ? Math.round(l) : Number(l.toPrecision(3))} ${t[n]}`;
}
function np({ onFile: e, limits: t }) {
  const n = K(), [l, r] = w(!1), o = N(null), i = (u) => {
    u.preventDefault(), r(!1);
    const d = u.dataTransfer?.files[0];
    d && e(d);
  }, a = (u) => {
    u.preventDefault(), r(!0);
  }, c = () => {
    const u = o.current?.files?.[0];
    u && e(u);
  };
  return /* @__PURE__ */ s("div", { class: l ? "drop over" : "drop", onDragOver: a, onDragLeave: () => r(!1), onDrop: i, children: [
    /* @__PURE__ */ s("label", { for: n, children: "Open a table of predictions" }),
    /* @__PURE__ */ s("input", { ref: o, id: n, type: "file", accept: go.join(","), onChange: c }),
    /* @__PURE__ */ s("small", { children: [
      "Choose a file or drop it here: CSV, TSV, Parquet or Arrow (Feather)",
      lp(t),
      "."
    ] })
  ] });
}
function lp({ upload_bytes: e, rows: t }) {
  const n = e === void 0 ? [] : [Ln(e)], l = t === void 0 ? [] : [`${R(t)} rows`], r = [...n, ...l];
  return r.length ? `, at most ${r.join(" and ")}` : "";
}
function sp({ examples: e, busy: t, onFailure: n }) {
  const { host: l, open: r } = ie(), [o, i] = w(null);
  if (!e.length) return null;
  const a = async (c) => {
    i(c);
    try {
      r(await l.example(c));
    } catch (u) {
      i(null), n(u);
    }
  };
  return /* @__PURE__ */ s("section", { class: "stack", "aria-labelledby": "examples", children: [
    /* @__PURE__ */ s("h2", { id: "examples", children: "Or look around with an example" }),
    /* @__PURE__ */ s("ul", { class: "cards", children: e.map(({ name: c, title: u, text: d }) => /* @__PURE__ */ s("li", { children: /* @__PURE__ */ s("button", { type: "button", disabled: t || o !== null, onClick: () => a(c), children: [
      /* @__PURE__ */ s("strong", { children: o === c ? `Opening ${u} …` : u }),
      /* @__PURE__ */ s("span", { children: d })
    ] }) }, c)) })
  ] });
}
function rp({ name: e, share: t, cancel: n }) {
  const l = t !== null && t >= 1 ? `Reading ${e} …` : `Sending ${e} …`;
  return /* @__PURE__ */ s("div", { class: "drop sending", children: [
    /* @__PURE__ */ s("span", { role: "status", children: l }),
    /* @__PURE__ */ s("progress", { "aria-label": l, ...t === null || t >= 1 ? {} : { value: t, max: 1 } }),
    /* @__PURE__ */ s("div", { class: "row", children: [
      t !== null && t < 1 && /* @__PURE__ */ s("span", { children: ue(t) }),
      /* @__PURE__ */ s("button", { type: "button", onClick: n, children: "Cancel" })
    ] })
  ] });
}
function op({ start: e }) {
  const { host: t, open: n } = ie(), [l, r] = w({ at: "choosing", failure: null }), o = N(null);
  L(() => {
    document.title = "Plumbline";
  }, []), L(() => {
    l.at === "columns" && o.current?.focus();
  }, [l.at]);
  const i = (u) => r({ at: "choosing", failure: ce(u) }), a = async (u) => {
    const d = tp(u, e.limits.upload_bytes);
    if (d) return r({ at: "choosing", failure: d });
    const f = new AbortController(), h = (m) => r({ at: "sending", name: u.name, share: m, cancel: () => f.abort() });
    h(null);
    try {
      const m = await t.upload(u, { signal: f.signal, onProgress: (p, g) => h(p / g) });
      r({ at: "columns", name: u.name, table: m });
    } catch (m) {
      i(m);
    }
  }, c = (u) => {
    t.close(u).catch(() => {
    }), r({ at: "choosing", failure: null });
  };
  return /* @__PURE__ */ s("div", { class: "start", children: [
    /* @__PURE__ */ s("header", { class: "row", children: [
      /* @__PURE__ */ s(to, {}),
      /* @__PURE__ */ s(po, {})
    ] }),
    l.at === "columns" ? /* @__PURE__ */ s("main", { class: "stack", children: [
      /* @__PURE__ */ s("h1", { ref: o, tabIndex: -1, children: "What do the columns mean?" }),
      /* @__PURE__ */ s("p", { class: "file", children: l.name }),
      /* @__PURE__ */ s(ro, { table: l.table, onOpened: n, onCancel: () => c(l.table) })
    ] }) : /* @__PURE__ */ s("main", { class: "stack", children: [
      /* @__PURE__ */ s("div", { children: [
        /* @__PURE__ */ s("h1", { children: "How good are your classifier’s predictions?" }),
        /* @__PURE__ */ s("p", { class: "lead", children: "Curves, calibration, model comparison and confusion matrices of a table of predictions. Everything stays on this machine." })
      ] }),
      l.at === "sending" ? /* @__PURE__ */ s(rp, { ...l }) : /* @__PURE__ */ s(np, { onFile: a, limits: e.limits }),
      l.at === "choosing" && l.failure && /* @__PURE__ */ s(te, { failure: l.failure }),
      e.served !== null && /* @__PURE__ */ s("div", { class: "row", children: /* @__PURE__ */ s("button", { type: "button", onClick: () => n(e.served), children: "Open the table this server was started with" }) }),
      /* @__PURE__ */ s(sp, { examples: e.examples, busy: l.at === "sending", onFailure: i }),
      /* @__PURE__ */ s(ip, {})
    ] })
  ] });
}
function ip() {
  return /* @__PURE__ */ s("details", { class: "panel", children: [
    /* @__PURE__ */ s("summary", { children: "What must the table hold?" }),
    /* @__PURE__ */ s("p", { children: [
      "One row is one example: its true class, and the predicted probability of every class (of one is enough where there are two). Columns named ",
      /* @__PURE__ */ s("code", { children: "actual" }),
      " and ",
      /* @__PURE__ */ s("code", { children: "p:CLASS" }),
      " are understood at once; others are guessed, and you can correct the guess. Columns for model, fold and weight may be there. All others are attributes, to filter by and to use in formulas."
    ] }),
    /* @__PURE__ */ s("pre", { class: "sample", children: `actual,p:no,p:yes,age
no,0.82,0.18,34
yes,0.31,0.69,51` })
  ] });
}
function ap({ host: e, store: t, theme: n }) {
  const l = Z(() => new ji(t), [t]);
  return /* @__PURE__ */ s(Ws.Provider, { value: t, children: /* @__PURE__ */ s(er.Provider, { value: l, children: /* @__PURE__ */ s(cp, { host: e, theme: n }) }) });
}
function cp({ host: e, theme: t }) {
  const n = T(), l = k((m) => m.table), [r, o] = w(null), [i, a] = w(null), [c, u] = w(0), d = N(/* @__PURE__ */ new Map()), f = () => {
    a(null), e.start().then((m) => {
      o(m), m.served && n.state.table === null && n.replace({ ...n.state, table: m.served });
    }, (m) => a(ce(m)));
  };
  L(f, [e, n]);
  const h = Z(() => ({ host: e, theme: t, start: r, open: (g, b) => {
    b && d.current.set(g, b), n.open(g), u((y) => y + 1);
  }, close: () => {
    const g = n.state.table;
    n.open(null), g !== null && g !== r?.served && e.close(g).catch(() => {
    });
  }, roles: (g) => d.current.get(g) ?? null }), [e, t, r, n]);
  return /* @__PURE__ */ s(no.Provider, { value: h, children: l !== null ? /* @__PURE__ */ s(up, { host: e, table: l }, `${l} ${c}`) : i ? /* @__PURE__ */ s("main", { class: "lonely", children: [
    /* @__PURE__ */ s("h1", { children: "Plumbline" }),
    /* @__PURE__ */ s(te, { failure: i, retry: f })
  ] }) : r === null ? /* @__PURE__ */ s("main", { class: "lonely", children: /* @__PURE__ */ s(mt, { what: "Looking for the server" }) }) : /* @__PURE__ */ s(op, { start: r }) });
}
function up({ host: e, table: t }) {
  const n = Z(() => new Po(e, t), [e, t]);
  return /* @__PURE__ */ s(Ds.Provider, { value: n, children: [
    !e.notebook && /* @__PURE__ */ s(Nd, { table: t }),
    /* @__PURE__ */ s(Zm, { children: /* @__PURE__ */ s(dp, {}) })
  ] });
}
function dp() {
  const e = I({ kind: "about" });
  return e.answer !== null ? /* @__PURE__ */ s(hp, { about: e.answer }) : /* @__PURE__ */ s("main", { class: "lonely", children: /* @__PURE__ */ s(B, { of: e, what: "Reading the table", children: () => null }) });
}
function hp({ about: e }) {
  const t = T();
  return /* @__PURE__ */ s(_, { children: [
    /* @__PURE__ */ s("a", { class: "skip button", href: "#content", onClick: fp, children: "Skip to the charts" }),
    /* @__PURE__ */ s(Gm, { about: e }),
    /* @__PURE__ */ s("div", { class: "columns", children: [
      /* @__PURE__ */ s(sl, { title: "The data panel", onReset: () => t.edit("data", ve.data), children: /* @__PURE__ */ s(eh, { about: e }) }),
      /* @__PURE__ */ s(mp, { about: e })
    ] })
  ] });
}
function fp(e) {
  e.preventDefault(), e.currentTarget.closest(".plumbline")?.querySelector("#content")?.focus();
}
function mp({ about: e }) {
  const t = T(), { host: n } = ie(), l = k((i) => i.room);
  L(() => {
    n.notebook || (document.title = `${It[l]} – ${e.name} – Plumbline`);
  }, [l, e.name, n]);
  const r = Bm[l], o = () => t.replace({ ...ve, table: t.state.table, room: l, board: t.state.board });
  return /* @__PURE__ */ s("main", { id: "content", tabIndex: -1, "aria-label": It[l], children: /* @__PURE__ */ s(sl, { title: It[l], onReset: o, children: /* @__PURE__ */ s(r, { about: e }) }, l) });
}
function bo(e) {
  const t = new DataView(e).getUint32(0, !0), n = JSON.parse(new TextDecoder().decode(new Uint8Array(e, 4, t))), l = 4 + t, r = n.arrays.map(
    ([o, i, a]) => o === "u1" ? new Uint8Array(e, l + i, a) : new Float64Array(e, l + i, a)
  );
  return Dn(n.answer, r);
}
function Dn(e, t) {
  if (Array.isArray(e)) return e.map((l) => Dn(l, t));
  if (e === null || typeof e != "object") return e;
  const n = e;
  return "$array" in n ? t[n.$array] : Object.fromEntries(Object.entries(n).map(([l, r]) => [l, Dn(r, t)]));
}
const Ut = {
  kind: "offline",
  message: "The server does not answer. Is `plumbline serve` still running?"
}, pp = 2, gp = {
  notebook: !1,
  start: async () => await We("api/start"),
  upload: async (e, t) => (await yp(`api/tables?${new URLSearchParams({ name: e.name })}`, e, t)).table,
  columns: async (e) => await We(`api/tables/${e}/columns`),
  open: async (e, t) => (await We(`api/tables/${e}/open`, { method: "POST", body: JSON.stringify(t) })).table,
  example: async (e) => (await We(`api/examples/${encodeURIComponent(e)}`, { method: "POST" })).table,
  ask: (e, t, n) => t.thumb === !0 ? bp(() => vs(e, t, n), n) : vs(e, t, n),
  alive: async (e) => {
    await We(`api/tables/${e}/alive`, { method: "POST" });
  },
  close: async (e) => {
    await We(`api/tables/${e}`, { method: "DELETE", keepalive: !0 });
  }
};
let vn = 0;
const bs = [];
async function bp(e, t) {
  vn >= pp ? await new Promise((n) => bs.push(n)) : vn += 1;
  try {
    return t?.signal?.throwIfAborted(), await e();
  } finally {
    const n = bs.shift();
    n ? n() : vn -= 1;
  }
}
const vp = (e) => e?.signal ? { signal: e.signal } : {};
async function vo(e, t) {
  try {
    return await fetch(e, t);
  } catch (n) {
    throw n instanceof DOMException && n.name === "AbortError" ? n : new ae(Ut);
  }
}
async function We(e, t) {
  const l = await (await vo(e, t)).json();
  if (l.error) throw new ae(l.error);
  return l;
}
function yp(e, t, n) {
  return new Promise((l, r) => {
    const o = new XMLHttpRequest(), i = () => o.abort();
    o.open("POST", e), o.responseType = "text", o.upload.onprogress = (a) => a.lengthComputable && n?.onProgress?.(a.loaded, a.total), o.onerror = () => r(new ae(Ut)), o.onabort = () => r(new DOMException("aborted", "AbortError")), o.onload = () => {
      const a = wp(o.responseText);
      a?.error ? r(new ae(a.error)) : a === null || o.status >= 400 ? r(new ae(Ut)) : l(a);
    }, n?.signal?.addEventListener("abort", i, { once: !0 }), o.onloadend = () => n?.signal?.removeEventListener("abort", i), o.send(t);
  });
}
function wp(e) {
  try {
    return JSON.parse(e);
  } catch {
    return null;
  }
}
async function vs(e, t, n) {
  const l = await vo(`api/tables/${e}/ask`, {
    method: "POST",
    body: JSON.stringify(t),
    headers: { "Content-Type": "application/json" },
    ...vp(n)
  });
  if (!l.ok) throw new ae((await l.json()).error);
  const r = l.body.getReader();
  let o = [], i = 0, a = at;
  for (; ; ) {
    const { done: c, value: u } = await r.read();
    if (c) throw new ae(Ut);
    if (o.push(u), i += u.length, i < a) continue;
    let d = _p(o, i);
    for (a = ys(d); d.length >= a; a = ys(d)) {
      const f = String.fromCharCode(d[0]), h = d.slice(at, a);
      if (d = d.subarray(a), f === "A") return bo(h.buffer);
      const m = JSON.parse(new TextDecoder().decode(h));
      if (f === "E") throw new ae(m);
      n?.onProgress?.(m.done, m.total);
    }
    o = [d], i = d.length;
  }
}
const at = 5, ys = (e) => e.length < at ? at : at + new DataView(e.buffer, e.byteOffset).getUint32(1, !0);
function _p(e, t) {
  const n = new Uint8Array(t);
  let l = 0;
  for (const r of e)
    n.set(r, l), l += r.length;
  return n;
}
const kp = "notebook", Ct = () => {
  throw new ae({ kind: "gone", message: "This workbench shows the table of its cell; run the cell with another one." });
};
let xp = 0;
function $p(e) {
  const t = `${++xp} ${Math.random().toString(36).slice(2)}`;
  let n = 0;
  return {
    notebook: !0,
    start: async () => ({ served: kp, examples: [], limits: {} }),
    upload: async () => Ct(),
    columns: async () => Ct(),
    open: async () => Ct(),
    example: async () => Ct(),
    ask: (l, r, o) => Sp(e, `${t} ${++n}`, r, o),
    alive: async () => {
    },
    // it lives as long as its kernel
    close: async () => {
    }
  };
}
function Sp(e, t, n, { signal: l, onProgress: r } = {}) {
  return new Promise((o, i) => {
    if (l?.aborted) return i(l.reason);
    const a = (d, f) => {
      const h = d;
      if (h?.id === t) {
        if (h.progress) return r?.(h.progress.done, h.progress.total);
        u(), h.failure ? i(new ae(h.failure)) : o(bo(Cp(f[0])));
      }
    }, c = () => {
      u(), e.send({ id: t, cancel: !0 }), i(l.reason);
    }, u = () => {
      e.off("msg:custom", a), l?.removeEventListener("abort", c);
    };
    e.on("msg:custom", a), l?.addEventListener("abort", c, { once: !0 }), e.send({ id: t, question: n });
  });
}
function Cp(e) {
  return e instanceof ArrayBuffer ? e.slice(0) : new Uint8Array(e.buffer, e.byteOffset, e.byteLength).slice().buffer;
}
const Tp = 150, ws = ["pointerup", "pointercancel", "focusout"];
function yo(e, t, n) {
  const l = new Hm(e), r = /* @__PURE__ */ s(ap, { host: t, store: n, theme: l });
  t.notebook && Ap(r);
  const o = () => n.settle();
  for (const i of ws) e.addEventListener(i, o);
  return pl(r, e), () => {
    for (const i of ws) e.removeEventListener(i, o);
    l.stop(), pl(null, e);
  };
}
function Mp(e) {
  let t;
  e.subscribe(() => {
    clearTimeout(t), t = setTimeout(() => history.replaceState(null, "", Kt(e.state) || location.pathname), Tp);
  }), window.addEventListener("hashchange", () => {
    clearTimeout(t), e.arrive(Qt(location.hash));
  });
}
function Ap(e) {
  e.__m = [Math.floor(Math.random() * 1e9), 0];
}
function Np({ model: e, el: t }) {
  const n = document.createElement("div");
  n.className = "plumbline widget", n.dataset.lmSuppressShortcuts = "true";
  const l = () => n.style.height = `${Number(e.get("height")) || 720}px`;
  l(), e.on("change:height", l), n.addEventListener("keydown", (o) => o.stopPropagation()), t.append(n);
  const r = yo(n, $p(e), new Hn());
  return () => {
    e.off("change:height", l), r(), n.remove();
  };
}
const Op = { render: Np }, _s = document.getElementById("workbench");
if (_s) {
  const e = new Hn(Qt(location.hash));
  Mp(e), yo(_s, gp, e);
}
export {
  Op as default,
  yo as mount
};
