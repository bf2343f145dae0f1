// Raw truth records (see finish.py) for a C# tree, from Roslyn's semantic model.
//   mono CSharpTruth.exe ROOT [--define A;B] [--ref DIR] [--exclude REGEX] [DIR ...] > raw.jsonl
// Columns are UTF-16 (finish.py --cols utf16). --ref names a folder of reference assemblies.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

static class CSharpTruth {
  static TextWriter outw;
  static HashSet<string> own = new HashSet<string>();
  static HashSet<SyntaxTree> trees = new HashSet<SyntaxTree>();
  static string root;

  static int Main(string[] a) {
    outw = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 1 << 20);
    root = Path.GetFullPath(a[0]).TrimEnd('/');
    var defines = new List<string>(); var refs = new List<string>(); var dirs = new List<string>(); Regex excl = null;
    for (int i = 1; i < a.Length; i++) {
      if (a[i] == "--define") defines.AddRange(a[++i].Split(';'));
      else if (a[i] == "--ref") refs.Add(a[++i]);
      else if (a[i] == "--exclude") excl = new Regex(a[++i]);
      else dirs.Add(Path.Combine(root, a[i]));
    }
    if (dirs.Count == 0) dirs.Add(root);
    var opt = new CSharpParseOptions(LanguageVersion.Latest, DocumentationMode.None, SourceCodeKind.Regular, defines);
    var units = new List<SyntaxTree>();
    foreach (var d in dirs)
      foreach (var f in Directory.GetFiles(d, "*.cs", SearchOption.AllDirectories).OrderBy(x => x, StringComparer.Ordinal)) {
        if (excl != null && excl.IsMatch(f)) continue;
        var t = CSharpSyntaxTree.ParseText(SourceText.From(File.ReadAllText(f), Encoding.UTF8), opt, f);
        units.Add(t); own.Add(f); trees.Add(t);
      }
    var meta = new List<MetadataReference>();
    foreach (var r in refs)
      foreach (var f in Directory.GetFiles(r, "*.dll")) meta.Add(MetadataReference.CreateFromFile(f));
    var comp = CSharpCompilation.Create("truth", units, meta, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
    int errors = 0; var seen = new Dictionary<string, int>();
    foreach (var d in comp.GetDiagnostics())
      if (d.Severity == DiagnosticSeverity.Error) {
        errors++; int n; seen.TryGetValue(d.Id, out n); seen[d.Id] = n + 1;
        if (n < 4) Console.Error.WriteLine(d.ToString());
      }
    foreach (var t in units) {
      outw.WriteLine("{\"t\":\"file\",\"file\":" + Q(t.FilePath) + "}");
      new Walker(comp.GetSemanticModel(t), t).Visit(t.GetRoot());
    }
    Overrides(comp.Assembly.GlobalNamespace);
    outw.Flush();
    Console.Error.WriteLine("files " + units.Count + " errors " + errors + " " + string.Join(" ", seen.OrderByDescending(x => x.Value).Take(8).Select(x => x.Key + ":" + x.Value)));
    return 0;
  }

  static string Q(string s) { return "\"" + s.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\""; }

  // Where a symbol of the tree is declared: the places of its name.
  static List<string> Places(ISymbol s) {
    var r = new List<string>();
    if (s == null) return r;
    foreach (var l in s.Locations)
      if (l.IsInSource && trees.Contains(l.SourceTree)) {
        var p = l.GetLineSpan().StartLinePosition;
        r.Add("[" + Q(l.SourceTree.FilePath) + "," + (p.Line + 1) + "," + (p.Character + 1) + "]");
      }
    return r;
  }

  static void Overrides(INamespaceOrTypeSymbol n) {
    foreach (var m in n.GetMembers()) {
      var inner = m as INamespaceOrTypeSymbol;
      if (inner != null) Overrides(inner);
    }
    var t = n as INamedTypeSymbol;
    if (t == null) return;
    var of = new Dictionary<ISymbol, HashSet<string>>();
    Action<ISymbol, ISymbol> add = (m, b) => {
      var ps = Places(b.OriginalDefinition);
      if (ps.Count == 0 || Places(m).Count == 0) return;
      HashSet<string> h; if (!of.TryGetValue(m, out h)) of[m] = h = new HashSet<string>();
      foreach (var p in ps) h.Add(p);
    };
    foreach (var m in t.GetMembers()) {
      var me = m as IMethodSymbol; var pr = m as IPropertySymbol;
      if (me != null && me.MethodKind != MethodKind.PropertyGet && me.MethodKind != MethodKind.PropertySet)
        for (var b = me.OverriddenMethod; b != null; b = b.OverriddenMethod) add(m, b);
      if (pr != null) for (var b = pr.OverriddenProperty; b != null; b = b.OverriddenProperty) add(m, b);
    }
    if (t.TypeKind != TypeKind.Interface)
      foreach (var i in t.AllInterfaces)
        foreach (var m in i.GetMembers()) {
          var x = t.FindImplementationForInterfaceMember(m);
          if (x != null) add(x.OriginalDefinition, m);
        }
    foreach (var e in of) {
      var l = e.Key.Locations.First(x => x.IsInSource);
      outw.WriteLine("{\"t\":\"impl\",\"file\":" + Q(l.SourceTree.FilePath) + ",\"line\":" + (l.GetLineSpan().StartLinePosition.Line + 1) + ",\"of\":[" + string.Join(",", e.Value) + "]}");
    }
  }

  class Walker : CSharpSyntaxWalker {
    readonly SemanticModel model; readonly SyntaxTree tree;
    public Walker(SemanticModel m, SyntaxTree t) { model = m; tree = t; }

    void Def(SyntaxNode n, SyntaxToken name, string kind) {
      if (name.IsMissing || name.ValueText == "") return;
      var p = tree.GetLineSpan(name.Span).StartLinePosition; var s = tree.GetLineSpan(n.Span);
      outw.WriteLine("{\"t\":\"def\",\"file\":" + Q(tree.FilePath) + ",\"line\":" + (p.Line + 1) + ",\"col\":" + (p.Character + 1) + ",\"name\":" + Q(name.Text)
        + ",\"kind\":\"" + kind + "\",\"start\":" + (s.StartLinePosition.Line + 1) + ",\"end\":" + (s.EndLinePosition.Line + 1) + "}");
    }

    public override void Visit(SyntaxNode n) {
      if (n == null) return;
      switch (n.Kind()) {
        case SyntaxKind.ClassDeclaration: Def(n, ((ClassDeclarationSyntax)n).Identifier, "class"); break;
        case SyntaxKind.StructDeclaration: Def(n, ((StructDeclarationSyntax)n).Identifier, "struct"); break;
        case SyntaxKind.InterfaceDeclaration: Def(n, ((InterfaceDeclarationSyntax)n).Identifier, "interface"); break;
        case SyntaxKind.EnumDeclaration: Def(n, ((EnumDeclarationSyntax)n).Identifier, "enum"); break;
        case SyntaxKind.EnumMemberDeclaration: Def(n, ((EnumMemberDeclarationSyntax)n).Identifier, "enummember"); break;
        case SyntaxKind.DelegateDeclaration: Def(n, ((DelegateDeclarationSyntax)n).Identifier, "type"); break;
        case SyntaxKind.MethodDeclaration: Def(n, ((MethodDeclarationSyntax)n).Identifier, "method"); break;
        case SyntaxKind.ConstructorDeclaration: Def(n, ((ConstructorDeclarationSyntax)n).Identifier, "constructor"); break;
        case SyntaxKind.LocalFunctionStatement: Def(n, ((LocalFunctionStatementSyntax)n).Identifier, "function"); break;
        case SyntaxKind.PropertyDeclaration: Def(n, ((PropertyDeclarationSyntax)n).Identifier, "field"); break;
        case SyntaxKind.IndexerDeclaration: Def(n, ((IndexerDeclarationSyntax)n).ThisKeyword, "field"); break;
        case SyntaxKind.EventDeclaration: Def(n, ((EventDeclarationSyntax)n).Identifier, "field"); break;
        case SyntaxKind.OperatorDeclaration: Def(n, ((OperatorDeclarationSyntax)n).OperatorToken, "method"); break;
        case SyntaxKind.ConversionOperatorDeclaration: Def(n, ((ConversionOperatorDeclarationSyntax)n).OperatorKeyword, "method"); break;
        case SyntaxKind.DestructorDeclaration: Def(n, ((DestructorDeclarationSyntax)n).Identifier, "method"); break;
        case SyntaxKind.VariableDeclarator:
          if (n.Parent.Parent is BaseFieldDeclarationSyntax) Def(n, ((VariableDeclaratorSyntax)n).Identifier, "field");
          break;
        case SyntaxKind.IdentifierName:
        case SyntaxKind.GenericName: Name((SimpleNameSyntax)n); break;
        case SyntaxKind.BaseConstructorInitializer:
        case SyntaxKind.ThisConstructorInitializer: Initializer((ConstructorInitializerSyntax)n); break;
      }
      base.Visit(n);
    }

    // The outermost name or expression that ends in n: A.B.n, x.n, x?.n, global::n.
    static SyntaxNode Whole(SyntaxNode n) {
      while (true) {
        var p = n.Parent;
        var q = p as QualifiedNameSyntax; var m = p as MemberAccessExpressionSyntax; var g = p as AliasQualifiedNameSyntax; var b = p as MemberBindingExpressionSyntax;
        if (q != null && q.Right == n || m != null && m.Name == n || g != null && g.Name == n || b != null) n = p;
        else return n;
      }
    }

    static string KindOf(SimpleNameSyntax n, ISymbol s) {
      var w = Whole(n); var p = w.Parent;
      var inv = p as InvocationExpressionSyntax;
      if (inv != null && inv.Expression == w) return "call";
      var oc = p as ObjectCreationExpressionSyntax;
      if (oc != null && oc.Type == w) return "call";
      if (p is AttributeSyntax && ((AttributeSyntax)p).Name == w) return "type";
      if (p is BaseTypeSyntax) return "inherit";
      if (n.FirstAncestorOrSelf<UsingDirectiveSyntax>() != null) return "import";
      return s is ITypeSymbol ? "type" : "read";
    }

    // A constructor that hands on to another one, at the word base or this.
    void Initializer(ConstructorInitializerSyntax n) {
      var m = model.GetSymbolInfo(n).Symbol as IMethodSymbol;
      var places = new List<string>();
      if (m != null) {
        if (!m.IsImplicitlyDeclared) places.AddRange(Places(m.OriginalDefinition));
        places.AddRange(Places(m.ContainingType.OriginalDefinition));
      }
      Ref(n.ThisOrBaseKeyword, "call", places, m == null ? "unknown" : "external");
    }

    void Ref(SyntaxToken name, string kind, List<string> places, string why) {
      var p = tree.GetLineSpan(name.Span).StartLinePosition;
      outw.WriteLine("{\"t\":\"ref\",\"file\":" + Q(tree.FilePath) + ",\"line\":" + (p.Line + 1) + ",\"col\":" + (p.Character + 1) + ",\"name\":" + Q(name.Text) + ",\"kind\":\"" + kind + "\""
        + (places.Count > 0 ? ",\"defs\":[" + string.Join(",", places.Distinct()) + "]" : ",\"why\":\"" + why + "\"") + "}");
    }

    void Name(SimpleNameSyntax n) {
      if (n.IsVar || n.Identifier.IsMissing || n.Identifier.ValueText == "_" || n.Parent is NameEqualsSyntax && n.Parent.Parent is UsingDirectiveSyntax) return;
      if (n.Identifier.ValueText == "dynamic" || n.Parent is TypeParameterConstraintClauseSyntax) return;
      var info = model.GetSymbolInfo(n);
      var found = new List<ISymbol>();
      bool nameof = n.Ancestors().OfType<InvocationExpressionSyntax>().Any(i => i.Expression.ToString() == "nameof" && i.ArgumentList.Arguments.Count == 1 && i.ArgumentList.Span.Contains(n.Span));
      if (info.Symbol != null) found.Add(info.Symbol);
      else if (nameof || info.CandidateReason == CandidateReason.MemberGroup) found.AddRange(info.CandidateSymbols);
      if (n.Identifier.ValueText == "nameof" && found.Count == 0) return;
      var first = found.FirstOrDefault();
      if (first is INamespaceSymbol || first is ILabelSymbol) return;
      var at = first as IAliasSymbol;
      var kind = KindOf(n, at != null ? at.Target : first);
      var why = "external";
      var places = new List<string>();
      // a created type and an attribute: the constructor, and its type
      var w = Whole(n);
      SyntaxNode made = w.Parent is ObjectCreationExpressionSyntax || w.Parent is AttributeSyntax ? w.Parent : null;
      if (made != null && (kind == "call" || w.Parent is AttributeSyntax && first is IMethodSymbol)) {
        var ctor = model.GetSymbolInfo(made).Symbol as IMethodSymbol;
        var mi = model.GetSymbolInfo(made);
        if (ctor == null && mi.CandidateSymbols.Length > 0) { found.Clear(); first = null; }
        if (ctor != null) {
          found.Clear();
          if (!ctor.IsImplicitlyDeclared && kind == "call") found.Add(ctor);
          found.Add(ctor.ContainingType);
          first = ctor;
        }
      }
      if (first == null) why = "unknown";
      if (first is ILocalSymbol || first is IParameterSymbol || first is IRangeVariableSymbol || first is ITypeParameterSymbol) { why = "local"; found.Clear(); }
      foreach (var f in found) {
        var s = f;
        if (s is IAliasSymbol) s = ((IAliasSymbol)s).Target;
        if (s is INamespaceSymbol) return;
        if (s.Kind == SymbolKind.ErrorType) { why = "unknown"; continue; }
        var me = s as IMethodSymbol;
        if (me != null) {
          if (me.ReducedFrom != null) me = me.ReducedFrom;
          s = me.OriginalDefinition;
          var d = (IMethodSymbol)s;
          places.AddRange(Places(d));
          if (d.PartialImplementationPart != null) places.AddRange(Places(d.PartialImplementationPart));
          if (d.PartialDefinitionPart != null) places.AddRange(Places(d.PartialDefinitionPart));
          continue;
        }
        if (s.ContainingType != null && (s.ContainingType.IsTupleType || s.ContainingType.IsAnonymousType)) { why = "local"; continue; }
        if (s is INamedTypeSymbol && ((INamedTypeSymbol)s).IsAnonymousType) { why = "local"; continue; }
        places.AddRange(Places(s.OriginalDefinition));
      }
      Ref(n.Identifier, kind, places, why);
    }
  }
}
